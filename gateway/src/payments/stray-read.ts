import type { Assets } from '../kit/assets.ts';
import type { Reader } from '../kit/db.ts';
import { nearMemos } from '../rails/pi/near-memos.ts';
import { type LikelyMatch, matchesById, wantingMatches } from './likely.ts';
import type { PaymentStatus } from './payment.ts';
import type { StrayRow } from './stray-assign.ts';

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

/** Why a payment may be whose a stray is; the strongest first. */
export type MatchReason = 'claim' | 'memo' | 'amount';

/**
 * The payments that a stray is likely for, the likeliest first: whose customer says so, whose memo is nearly what it
 * came with, and which wanted about as much when it came. Only live ones of its currency.
 */
export async function strayMatches(
  reader: Reader,
  assets: Assets,
  stray: StrayRow,
): Promise<(LikelyMatch & { because: MatchReason[] })[]> {
  const { rows: claims } = await reader.query<{ id: string }>(
    `${claimantsSql('q.id', '$1')} ORDER BY c.created_at LIMIT 20`,
    [stray.transaction],
  );
  const near = stray.memo === null ? [] : await nearMemos(reader, stray.memo);
  const wanting = await wantingMatches(reader, assets, { ...stray, mode: 'live' }, null);
  const reasons = new Map<string, MatchReason[]>();
  const note = (because: MatchReason, ids: readonly string[]): void => {
    for (const id of ids) reasons.set(id, [...(reasons.get(id) ?? []), because]);
  };
  note(
    'claim',
    claims.map(({ id }) => id),
  );
  note('memo', near);
  note(
    'amount',
    wanting.map(({ id }) => id),
  );
  const found = new Map((await matchesById(reader, [...reasons.keys()])).map((match) => [match.id, match]));
  const currency = assets.find(stray.asset)?.currency;
  return [...reasons].flatMap(([id, because]) => {
    const match = found.get(id);
    return match?.mode === 'live' && match.currency === currency ? [{ ...match, because }] : [];
  });
}
