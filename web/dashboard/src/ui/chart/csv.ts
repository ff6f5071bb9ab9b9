/** A table as CSV (RFC 4180). */
export function csvOf(table: { heads: readonly string[]; rows: readonly (readonly string[])[] }): string {
  return [table.heads, ...table.rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
