import { parseArgs } from 'node:util';
import { type RowName, rowNames } from './rows.ts';

export type Options = {
  /** Length of each measurement. */
  seconds: number;
  /** Write the results beside printing them: of a whole run alone, since the table is of one run. */
  write: boolean;
  rows: RowName[];
};

const defaultSeconds = '5';

/**
 * Reads `node bench/run.ts [--seconds N] [--dry] [row ...]`; throws on anything else. With rows named, only
 * these are run, and nothing is written.
 */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: defaultSeconds },
      dry: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error('--seconds must be a positive number');
  const unknown = positionals.find((name) => !isRowName(name));
  if (unknown !== undefined)
    throw new Error(`There is no row ${unknown}; the rows are ${rowNames.join(', ')}`);
  return {
    seconds,
    write: !values.dry && positionals.length === 0,
    rows: positionals.length > 0 ? positionals.filter(isRowName) : rowNames,
  };
}

function isRowName(name: string): name is RowName {
  return (rowNames as string[]).includes(name);
}
