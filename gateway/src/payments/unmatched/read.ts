import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { nearMemos } from '../../rails/pi/memos/near-memos.ts';
import type { PaymentStatus } from '../payment.ts';
import type { StrayRow } from './assign.ts';
import { type LikelyMatch, matchesById, wantingMatches } from './likely-matches.ts';

/** A stray as operators see it; units are at its asset's scale. */
export type StrayLine = StrayRow & {
  id: string;
  /** The payment that it was assigned to. */
  reference: string | null;
  status: PaymentStatus | null;
  integration_id: string | null;
  integration_name: string | null;
  decider: string | null;
  /** How many live payments' customers say that it is theirs. */
  claims: number;
};

const linesSql = `
SELECT s.*, s.ledger_id AS id, p.reference, p.status, p.integration_id, i.name AS integration_name,
  a.name AS decider, (${claimantsSql('count(*)', 's.transaction')})::int AS claims
FROM stray_transfers s
LEFT JOIN payments p ON p.id = s.payment_id
LEFT JOIN integrations i ON i.id = p.integration_id
LEFT JOIN accounts a ON a.id = s.decided_by
WHERE ($1::uuid IS NULL OR s.ledger_id < $1)`;

function claimantsSql(what: string, transaction: string): string {
  return `SELECT ${what} FROM payment_claims c JOIN payments q ON q.id = c.payment_id
  WHERE c.kind = 'paid' AND c.content = ${transaction} AND q.mode = 'live'`;
}

const pageSql = {
  open: `${linesSql} AND s.state = 'open' ORDER BY s.ledger_id DESC LIMIT $2`,
  decided: `${linesSql} AND s.state <> 'open' ORDER BY s.ledger_id DESC LIMIT $2`,
};

/** Strays that nobody has decided about, or those that somebody has; newest first. */
export async function strayLines(
  reader: Reader,
  which: keyof typeof pageSql,
  { before, limit }: { before: string | null; limit: number },
): Promise<StrayLine[]> {
  const { rows } = await reader.query<StrayLine>(pageSql[which], [before, limit]);
  return rows;
}

/** Why a payment may be whose a stray is; the strongest first. `account`: its customer paid from the same one. */
export type MatchReason = 'claim' | 'account' | 'memo' | 'amount';

export type StrayMatch = LikelyMatch & {
  because: MatchReason[];
  /** It was made after the stray came; only a claim brings such a one here. */
  is_later: boolean;
};

// As for a proof, what counts came by the payment's own memo.
const paidFromSql = `
SELECT DISTINCT t.payment_id AS id FROM payment_transfers t
WHERE t.payment_id = ANY($1) AND t.rail = $2 AND t.sender = $3 AND t.state = 'final'
  AND NOT EXISTS (SELECT FROM stray_transfers o WHERE o.rail = t.rail AND o.key = t.key)`;

/**
 * The payments that a stray is likely for, the likeliest first: whose customer says so, and of these first who paid
 * from the account that it came from; whose memo is nearly what it came with, and which wanted about as much when it
 * came. Only live ones of its currency.
 */
export async function strayMatches(reader: Reader, assets: Assets, stray: StrayRow): Promise<StrayMatch[]> {
  const claims = await idsIn(reader, `${claimantsSql('q.id', '$1')} ORDER BY c.created_at LIMIT 20`, [
    stray.transaction,
  ]);
  const near = stray.memo === null ? [] : await nearMemos(reader, stray.memo);
  const wanting = await wantingMatches(reader, assets, { ...stray, mode: 'live' }, null);
  const ids = [...new Set([...claims, ...near, ...wanting.map(({ id }) => id)])];
  const paying = await idsIn(reader, paidFromSql, [ids, stray.rail, stray.sender]);
  const reasons: [MatchReason, string[]][] = [
    ['claim', claims],
    ['account', paying],
    ['memo', near],
    ['amount', wanting.map(({ id }) => id)],
  ];
  const found = new Map((await matchesById(reader, ids)).map((match) => [match.id, match]));
  const currency = assets.find(stray.asset)?.currency;
  const matches = ids.flatMap((id) => {
    const match = found.get(id);
    if (match?.mode !== 'live' || match.currency !== currency) return [];
    const because = reasons.filter(([, of]) => of.includes(id)).map(([reason]) => reason);
    return [{ ...match, because, is_later: isLater(match, stray) }];
  });
  return matches
    .filter(({ because, is_later }) => !is_later || because.includes('claim'))
    .sort((one, other) => rankOf(one) - rankOf(other));
}

const rankOf = ({ because: [first, second] }: StrayMatch): number =>
  first === 'claim' && second === 'account' ? 0 : 1;

/** Ledgers close at whole seconds. */
const isLater = ({ created_at }: LikelyMatch, { at }: StrayRow): boolean =>
  Math.floor(created_at.getTime() / 1000) * 1000 > at.getTime();

async function idsIn(reader: Reader, sql: string, values: unknown[]): Promise<string[]> {
  const { rows } = await reader.query<{ id: string }>(sql, values);
  return rows.map(({ id }) => id);
}
