import { type Tx, together } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { accountName, unlimitedKinds } from '../../ledger/accounts.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { postAll, postTransfers, type Transfer } from '../../ledger/ledger.ts';
import { type Credit, coverShortage, lockDebts, repayDebts } from '../../ledger/receivable.ts';

/**
 * A ledger transfer that settlement makes. What its account lacks is a fault of ours, which undoes the transaction;
 * `owed`: the business owes it from then on; `refused`: the transaction is refused (`insufficient_balance`).
 */
export type Leg = Transfer & { ifShort?: 'owed' | 'refused' };

/** A leg of a payment, which says the rest of it. */
export type NewLeg = Omit<Leg, 'id' | 'mode' | 'causeId' | 'caller'> & { id?: string };

/** Posts legs in their order, and then pays what is owed out of what they credited. */
export async function postLegs(
  tx: Tx,
  legs: readonly Leg[],
  credits: readonly Credit[],
  now: Date,
): Promise<void> {
  const runs = runsOf(legs);
  const last = runs.pop() ?? [];
  for (const run of runs) await postRun(tx, run, now);
  // Sent together: a debt that the last run makes need not be known, since it leaves a balance that could pay nothing.
  const [, debts] = await together(tx, () => [postRun(tx, last, now), lockDebts(tx, credits)]);
  await repayDebts(tx, debts, credits, now);
}

/**
 * Legs in runs, each of which is posted at once. A leg begins a new run where an earlier one of the run brought something to
 * the account that it takes from, out of an account that may be short: within a run the ledger does not count on that.
 */
function runsOf(legs: readonly Leg[]): Leg[][] {
  const runs: Leg[][] = [];
  let kind: string | null = null;
  let brought = new Set<string>();
  for (const leg of legs) {
    const { mode, asset, debit, credit } = leg;
    const own = kindOf(leg);
    const isBrought = brought.size > 0 && brought.has(accountName({ ...debit, mode, asset }));
    if (own !== kind || isBrought) {
      runs.push([]);
      kind = own;
      brought = new Set();
    }
    runs.at(-1)?.push(leg);
    if (!unlimitedKinds.has(debit.kind)) brought.add(accountName({ ...credit, mode, asset }));
  }
  return runs;
}

/** Legs that may be owed are posted in runs of one business. */
const kindOf = ({ ifShort, debit, mode }: Leg): string =>
  ifShort === 'owed' ? `owed ${debit.owner} ${mode}` : '';

async function postRun(tx: Tx, run: Leg[], now: Date): Promise<void> {
  const [first] = run;
  if (!first) return;
  if (first.ifShort === 'owed') {
    const business = { owner: first.debit.owner, mode: first.mode };
    return await postAll(tx, await coverShortage(tx, business, run, now), now);
  }
  const outcomes = await postTransfers(tx, run, now);
  for (const [index, { id, cause, ifShort }] of run.entries()) {
    const outcome = outcomes[index];
    if (outcome === 'insufficient' && ifShort === 'refused') throw refuse(ledgerErrors.insufficient_balance);
    if (outcome === 'insufficient' || outcome === 'conflict') {
      throw new Error(`Ledger transfer ${id} (${cause}): ${outcome}`);
    }
  }
}
