import { parseExactly } from "../repair/read/parse-exactly.ts";
import { importOptional } from "./import-optional.ts";

/** What is used of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBConnection: {
    create(): Promise<{
      stream(sql: string): Promise<{ fetchChunk(): Promise<Chunk | null> }>;
      closeSync?(): void;
    }>;
  };
}

interface Chunk {
  readonly rowCount: number;
  getRows(): readonly (readonly unknown[])[];
}

/**
 * Reads a log by DuckDB: Parquet, or a file on another machine. A row is a line: its columns are
 * the line's fields, or its one column is the line as JSON text.
 *
 * @param file The file; DuckDB's own patterns and addresses (`s3://…`) hold.
 * @param onValue Told of each row, as the JSON of a line.
 * @throws Error when `@duckdb/node-api` is not installed, or DuckDB cannot read the file.
 */
export async function readRows(file: string, onValue: (value: unknown) => void): Promise<void> {
  const { DuckDBConnection } = await importOptional<DuckDb>("@duckdb/node-api", `reads ${file}`);
  const connection = await DuckDBConnection.create();
  try {
    const quoted = `'${file.replaceAll("'", "''")}'`;
    const source = /\.parquet$/i.test(file)
      ? `SELECT CAST(to_json(row) AS VARCHAR) FROM read_parquet(${quoted}, union_by_name = true) AS row`
      : `SELECT CAST(json AS VARCHAR) FROM read_json_objects(${quoted}, format = 'newline_delimited', ignore_errors = true)`;
    const result = await connection.stream(source);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (const [text] of chunk.getRows()) onValue(toLine(JSON.parse(String(text))));
    }
  } finally {
    connection.closeSync?.();
  }
}

/** A column that a row has no value for is a field that the line does not have. */
function toLine(row: Record<string, unknown> | null): unknown {
  if (row === null) return row;
  const entries = Object.entries(row);
  const [only] = entries;
  if (entries.length === 1)
    return typeof only?.[1] === "string" ? parseExactly(only[1]) : only?.[1];
  const line = withoutNulls(row);
  // DuckDB reads times as times, and writes them in SQL's way.
  if (typeof line.t === "string") line.t = line.t.replace(/^(\S+) (\S+?)(?:Z|\+00)?$/, "$1T$2Z");
  for (const field of ["issues", "repairs"]) {
    if (Array.isArray(line[field])) line[field] = line[field].map(withoutNulls);
  }
  return line;
}

function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
