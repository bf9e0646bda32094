const NUMBER = new Intl.NumberFormat("en-US");
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** `1204332` → `1,204,332`. */
export function showCount(count: number): string {
  return NUMBER.format(count);
}

/** `1204332` → `1.2M`. */
export function showCompact(count: number): string {
  return COMPACT.format(count);
}

/**
 * Shows a share in percent, with as many digits as it has meaning: `0.0812` → `8.1%`. What is more
 * than nothing and less than everything is never shown as 0% or 100%.
 *
 * @param part How many.
 * @param whole Of how many; of none there is no share.
 */
export function showShare(part: number, whole: number): string {
  return whole === 0 ? "–" : showPercent(part / whole);
}

/** The same of a share from 0 to 1. */
export function showPercent(share: number): string {
  if (share < 1e-9) return "0%";
  if (share > 1 - 1e-9) return "100%";
  const percent = share * 100;
  if (percent < 0.1) return "<0.1%";
  if (percent > 99.9) return ">99.9%";
  return `${percent.toFixed(1)}%`;
}

/** A range of shares from 0 to 1: `17.6–20.0%`. */
export function showRange({ lower, upper }: { lower: number; upper: number }): string {
  const [one, other] = [showPercent(lower), showPercent(upper)];
  return `${one.slice(0, -1)}–${other}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-21T20:57:43Z` → `21 Nov 2026`; the day in UTC. */
export function showDay(time: string): string {
  return `${showDayOfYear(time)} ${new Date(time).getUTCFullYear()}`;
}

/** The same without the year. */
function showDayOfYear(time: string): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** A step's name: its hour, where steps are hours; else its first day. */
export function showStep(time: string, hours: number): string {
  if (hours >= 24) return showDayOfYear(time);
  return `${showDayOfYear(time)}, ${showHour(time)}`;
}

/** `2026-11-21T20:57:43Z` → `20:57`, in UTC. */
function showHour(time: string): string {
  return new Date(time).toISOString().slice(11, 16);
}

/** `22 Oct – 21 Nov 2026`. */
export function showPeriod(from: string, to: string): string {
  if (showDay(from) === showDay(to)) {
    return `${showDay(from)}, ${showHour(from)}–${showHour(to)} UTC`;
  }
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${isOneYear ? showDayOfYear(from) : showDay(from)} – ${showDay(to)}`;
}
