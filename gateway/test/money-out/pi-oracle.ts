import type { PiGame } from './pi.ts';

// What the network's own ledger says of a schedule, and how far the gateway has read it.

/** What is still to be read, to be told, to be sent or to be judged. */
export async function piLeft({ world, pi }: PiGame): Promise<string | null> {
  const { history, accounts } = world.network.core;
  const last = history.of(pi.account)?.payments.at(-1)?.token;
  const { rows } = await world.db.query<{ left: string | null }>(
    `SELECT CASE
       WHEN cursor IS DISTINCT FROM $1 THEN format('to read up to %s after %s', $1, cursor)
       WHEN difference IS NOT NULL OR agreed_ledger IS DISTINCT FROM $2 THEN 'to come to the balance'
       WHEN EXISTS (SELECT FROM pi_records WHERE reported_state IS DISTINCT FROM state) THEN 'to report'
       WHEN EXISTS (SELECT FROM pi_sends WHERE ended_at IS NULL) THEN 'to send'
       WHEN EXISTS (SELECT FROM payments WHERE unread_since IS NOT NULL) THEN 'to judge' END AS left
     FROM pi_accounts`,
    [last, accounts.get(pi.account)?.changedIn],
  );
  return rows[0] ? rows[0].left : 'to begin';
}

type Left = { to: string; memo: string | null; units: bigint };

/** What left the account since the schedule began. */
function leftFrom({ world, pi, begin }: PiGame): Left[] {
  const operations = world.network.core.history.of(pi.account)?.operations ?? [];
  return operations
    .filter(({ token, transaction }) => token > begin.token && transaction.successful)
    .flatMap(({ transaction, effects }) => {
      const debited = effects.some(
        ({ party, type }) => party.account === pi.account && type === 'account_debited',
      );
      const credited = effects.find(({ type }) => type === 'account_credited');
      if (!debited || !credited) return [];
      const { value } = transaction.envelope.transaction.memo;
      return [
        {
          to: credited.party.account,
          memo: value === null ? null : Buffer.from(value).toString(),
          units: BigInt(`${credited.fields.amount}`.replace('.', '')),
        },
      ];
    });
}

/** Every amount that came to a destination of a payout; nobody else sends with such memos. */
export function piPaidTo(game: PiGame): Map<string, bigint[]> {
  const paid = new Map<string, bigint[]>();
  for (const { to, memo, units } of leftFrom(game)) {
    if (!memo?.startsWith('out ')) continue;
    const key = `${to} ${memo}`;
    paid.set(key, [...(paid.get(key) ?? []), units]);
  }
  return paid;
}

/** What was there before the schedule, and what somebody else with the key sent. */
export function piExplained(game: PiGame): Map<string, Map<string, bigint>> {
  const taken = leftFrom(game)
    .filter(({ memo }) => !memo?.startsWith('out '))
    .reduce((sum, { units }) => sum + units, 0n);
  const lines = new Map([['was in the account before its movements were read', game.begin.units]]);
  if (taken > 0n) lines.set('taken out by the operator, or sent without an order', -taken);
  return new Map([['pi', lines]]);
}

export const piHeld = ({ world, pi }: PiGame): Map<string, bigint> =>
  new Map([['pi', world.network.core.accounts.get(pi.account)?.units ?? 0n]]);
