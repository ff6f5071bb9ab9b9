import { type FeeTotal, feeTotals } from '../ledger/totals.ts';
import { openAssets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { withDatabase } from './with-database.ts';

/** Prints the operator's live fees. Returns the exit code. */
export async function fees(env: NodeJS.ProcessEnv, options: { json: boolean }): Promise<number> {
  await withDatabase(env, async (db, { assets }) => {
    const known = openAssets(assets);
    const items = (await feeTotals(db, 'live')).map((total) =>
      feeOf(total, known.find(total.asset)?.scale ?? 0),
    );
    process.stdout.write(options.json ? `${JSON.stringify({ items })}\n` : describeFees(items));
  });
  return 0;
}

type Fee = { asset: string; earned: string; leaving: string };

function feeOf({ asset, earned, leaving }: FeeTotal, scale: number): Fee {
  return { asset, earned: decimalOf(earned, scale), leaving: decimalOf(leaving, scale) };
}

/** Fees, for people. */
function describeFees(items: readonly Fee[]): string {
  if (items.length === 0) return 'No fee was earned yet.\n';
  return items
    .map(
      ({ asset, earned, leaving }) =>
        `${asset}: ${earned}${leaving === '0' ? '' : `, and ${leaving} on its way out`}\n`,
    )
    .join('');
}
