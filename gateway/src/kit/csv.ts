// The wide forms too: Excel takes them for the narrow ones.
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * One line of a CSV file (RFC 4180), with its line end. What a spreadsheet would take for a formula gets a
 * quote before it; numbers are numbers.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | null): string {
  if (value === null) return '';
  const text = formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
