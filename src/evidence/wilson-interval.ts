/**
 * The 97.5th percentile of the normal distribution: 95 % of it lie within as
 * many deviations on both sides.
 */
const Z = 1.959964;

/**
 * Computes Wilson's 95 % interval of a share, which stays honest for small
 * numbers.
 */
export function wilsonInterval(
  hits: number,
  total: number,
): { readonly lower: number; readonly upper: number } {
  if (total === 0) return { lower: 0, upper: 1 };
  const share = hits / total;
  const spread =
    Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * total)) / total);
  const middle = share + Z ** 2 / (2 * total);
  const whole = 1 + Z ** 2 / total;
  return {
    lower: Math.max(0, (middle - spread) / whole),
    upper: Math.min(1, (middle + spread) / whole),
  };
}
