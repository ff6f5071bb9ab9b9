import type { RowOptions } from './http-row.ts';
import type { RowResult } from './result.ts';
import { block } from './rows/block.ts';
import { create } from './rows/create.ts';
import { createPriced } from './rows/create-priced.ts';
import { fundUser } from './rows/fund-user.ts';
import { growth } from './rows/growth.ts';
import { info } from './rows/info.ts';
import { ledger } from './rows/ledger.ts';
import { lives } from './rows/lives.ts';
import { overload } from './rows/overload.ts';
import { scan } from './rows/scan.ts';
import { webhooks } from './rows/webhooks.ts';

export const rows = {
  create,
  'create-priced': createPriced,
  info,
  'fund-user': fundUser,
  ledger,
  lives,
  block,
  webhooks,
  scan,
  overload,
  growth,
} satisfies Record<string, (options: RowOptions) => Promise<RowResult>>;

export type RowName = keyof typeof rows;

/** Every row in the order in which it is run. */
export const rowNames = Object.keys(rows) as RowName[];

/** The rows of a whole run: without `growth`, which takes longer than all others together. */
export const usualRows = rowNames.filter((name) => name !== 'growth');
