// With the full-width characters, which Excel reads as the ordinary ones.
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * One line of a CSV file (RFC 4180), with its line end. A text that a spreadsheet would run as a formula gets a
 * quote before it; numbers stay as they are.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** The first line of a CSV file. The byte order mark before it tells Excel that the file is UTF-8. */
export function csvHead(names: readonly string[]): string {
  return `\ufeff${csvLine(names)}`;
}

function cellOf(value: string | null): string {
  if (value === null) return '';
  const text = formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
