import { plain, type Tone, tinted } from './text.ts';

/**
 * One column of a table. `isNumber`: aligned to the right. `takesRest`: the last column, whose cells are cut to the rest of
 * the line; it is left out where not even its title fits.
 */
export type Column<Row> = {
  title: string;
  of: (row: Row) => string;
  tone?: (row: Row) => Tone | undefined;
  isNumber?: boolean;
  takesRest?: boolean;
};

/** A table that is printed page by page: later pages get at least the widths of the first. */
export type Table<Row> = { head(): string; lines(rows: readonly Row[]): string };

/** As wide as the terminal, and elsewhere a hundred characters: what is cut is whole in `--json`. */
const widthOfLine = (): number => Math.max(100, process.stdout.columns ?? 0);

/**
 * Makes a table whose columns are as wide as their widest cell so far, with two spaces between them. Only a column that
 * takes the rest keeps to the width of the line.
 */
export function createTable<Row>(
  columns: readonly Column<Row>[],
  lineWidth: number = widthOfLine(),
): Table<Row> {
  const widths = columns.map(({ title }) => title.length);
  const gap = 2;

  /** The cell, where its column takes the rest as much of it as fits. */
  function fitted(cell: string, index: number): string {
    const { takesRest, title } = columns[index]!;
    if (!takesRest) return cell;
    const others = widths.reduce((sum, width, each) => (each === index ? sum : sum + width + gap), 0);
    const rest = lineWidth - others;
    return rest < title.length ? '' : cut(cell, rest);
  }

  function line(whole: readonly string[], tones: readonly (Tone | undefined)[]): string {
    const padded = whole.map(fitted).map((cell, index, cells) => {
      const { isNumber } = columns[index]!;
      const isLast = index === cells.length - 1;
      const space = ' '.repeat(isLast && !isNumber ? 0 : Math.max(0, widths[index]! - lengthOf(cell)));
      const text = tinted(cell, tones[index]);
      return isNumber ? space + text : text + space;
    });
    return `${padded.join(' '.repeat(gap)).trimEnd()}\n`;
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

/** The text, or its beginning with an ellipsis. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** The length in characters, and not in UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
