import { plain, type Tone, tinted } from './text.ts';

/** One column of a table. `isNumber`: aligned to the right. */
export type Column<Row> = {
  title: string;
  of: (row: Row) => string;
  tone?: (row: Row) => Tone | undefined;
  isNumber?: boolean;
};

/** A table that is printed page by page: later pages get at least the widths of the first. */
export type Table<Row> = { head(): string; lines(rows: readonly Row[]): string };

/** Makes a table whose columns are as wide as their widest cell so far, with two spaces between them. */
export function createTable<Row>(columns: readonly Column<Row>[]): Table<Row> {
  const widths = columns.map(({ title }) => title.length);

  function line(cells: readonly string[], tones: readonly (Tone | undefined)[]): string {
    const padded = cells.map((cell, index) => {
      const { isNumber } = columns[index]!;
      const isLast = index === cells.length - 1;
      const space = ' '.repeat(isLast && !isNumber ? 0 : Math.max(0, widths[index]! - lengthOf(cell)));
      const text = tinted(cell, tones[index]);
      return isNumber ? space + text : text + space;
    });
    return `${padded.join('  ').trimEnd()}\n`;
  }

  return {
    head: () =>
      line(
        columns.map(({ title }) => title),
        columns.map(() => 'faint'),
      ),
    lines(rows) {
      const cells = rows.map((row) => columns.map((column) => plain(column.of(row))));
      for (const row of cells) {
        for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index]!, lengthOf(cell));
      }
      const tonesOf = (row: Row) => columns.map((column) => column.tone?.(row));
      return cells.map((row, index) => line(row, tonesOf(rows[index]!))).join('');
    },
  };
}

/** Rows of a table with its head, all at once. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const table = createTable(columns);
  const lines = table.lines(rows);
  return table.head() + lines;
}

/** Names and values in aligned lines; those without a value are left out. */
export function recordOf(
  fields: readonly (readonly [name: string, value: string, tone?: Tone | undefined])[],
): string {
  const present = fields.filter(([, value]) => value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present
    .map(([name, value, tone]) => `${tinted(name.padEnd(width), 'faint')}  ${tinted(plain(value), tone)}\n`)
    .join('');
}

/** The length in characters, and not in UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
