import { parseArgs } from 'node:util';
import { type RowName, rowNames, usualRows } from './rows.ts';

export type Options = {
  /** Length of each measurement. */
  seconds: number;
  /** Write the results too, not only print them: only after a whole run, since the table is of one run. */
  write: boolean;
  rows: RowName[];
  /** How many payments `growth` makes. */
  payments: number;
};

const defaultSeconds = '5';
const defaultPayments = '10000000';

/**
 * Reads `node bench/run.ts [--seconds N] [--dry] [--payments N] [row ...]`; throws on anything else. With named rows, only
 * these are run, and nothing is written.
 */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: defaultSeconds },
      dry: { type: 'boolean', default: false },
      payments: { type: 'string', default: defaultPayments },
    },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error('--seconds must be a positive number');
  const payments = Number(values.payments);
  if (!(Number.isInteger(payments) && payments > 0)) throw new Error('--payments must be a positive number');
  const unknown = positionals.find((name) => !isRowName(name));
  if (unknown !== undefined)
    throw new Error(`There is no row ${unknown}; the rows are ${rowNames.join(', ')}`);
  return {
    seconds,
    write: !values.dry && positionals.length === 0,
    rows: positionals.length > 0 ? positionals.filter(isRowName) : usualRows,
    payments,
  };
}

function isRowName(name: string): name is RowName {
  return (rowNames as string[]).includes(name);
}
