import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { nearMemos } from '../../rails/pi/memos/near-memos.ts';
import type { PaymentStatus } from '../payment.ts';
import type { StrayRow } from './assign.ts';
import { type LikelyMatch, matchesById, wantingMatches } from './likely-matches.ts';
import { isProvedSql, type Proof, proofsOf } from './proofs.ts';

/** The payment that money was assigned to. */
type Assigned = {
  reference: string;
  status: PaymentStatus;
  integration_id: string;
  integration_name: string;
};

/** A stray as operators see it; units are at its asset's scale. */
export type StrayLine = StrayRow &
  (Assigned | { reference: null }) & {
    id: string;
    decider: string | null;
    /** How many live payments' customers say that it is theirs, and how many of these have a proof. */
    claims: number;
    proofs: number;
  };

const linesSql = `
SELECT s.*, s.ledger_id AS id, p.reference, p.status, p.integration_id, i.name AS integration_name,
  a.name AS decider, c.claims, c.proofs
FROM stray_transfers s
LEFT JOIN payments p ON p.id = s.payment_id
LEFT JOIN integrations i ON i.id = p.integration_id
LEFT JOIN accounts a ON a.id = s.decided_by
CROSS JOIN LATERAL (
  SELECT count(*)::int AS claims, count(*) FILTER (WHERE ${isProvedSql('q.id', 's.rail', 's.sender')})::int AS proofs
  ${claimsSql('s.transaction')}
) c
WHERE ($1::uuid IS NULL OR s.ledger_id < $1)`;

function claimsSql(transaction: string): string {
  return `FROM payment_claims c JOIN payments q ON q.id = c.payment_id
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
  /** When its customer named the transaction; null: they did not. */
  claimed_at: Date | null;
  proof: Proof | null;
  /** It was made after the stray came; only a claim brings such a one here. */
  is_later: boolean;
};

type ClaimRow = { id: string; at: Date };

// However many others claim it, those with a proof are shown.
const claimantsSql = `
SELECT q.id, c.created_at AS at ${claimsSql('$1')}
ORDER BY ${isProvedSql('q.id', '$2', '$3')} DESC, c.created_at LIMIT 20`;

/**
 * The payments that a stray is likely for, the likeliest first: whose customer says so, and of these first who has a
 * proof; whose memo is nearly what it came with, and which wanted about as much when it came. Only live ones of its
 * currency.
 */
export async function strayMatches(reader: Reader, assets: Assets, stray: StrayRow): Promise<StrayMatch[]> {
  const { rows: claims } = await reader.query<ClaimRow>(claimantsSql, [
    stray.transaction,
    stray.rail,
    stray.sender,
  ]);
  const claimedAt = new Map(claims.map(({ id, at }) => [id, at]));
  const near = stray.memo === null ? [] : await nearMemos(reader, stray.memo);
  const wanting = await wantingMatches(reader, assets, { ...stray, mode: 'live' }, null);
  const ids = [...new Set([...claimedAt.keys(), ...near, ...wanting.map(({ id }) => id)])];
  const proofs = await proofsOf(reader, ids, stray);
  const reasons: [MatchReason, Iterable<string>][] = [
    ['claim', claimedAt.keys()],
    ['account', proofs.keys()],
    ['memo', near],
    ['amount', wanting.map(({ id }) => id)],
  ];
  const grounds = reasons.map(([reason, of]) => [reason, new Set(of)] as const);
  const found = new Map((await matchesById(reader, ids)).map((match) => [match.id, match]));
  const currency = assets.find(stray.asset)?.currency;
  const matches = ids.flatMap((id): StrayMatch[] => {
    const match = found.get(id);
    if (match?.mode !== 'live' || match.currency !== currency) return [];
    const because = grounds.filter(([, of]) => of.has(id)).map(([reason]) => reason);
    const evidence = { claimed_at: claimedAt.get(id) ?? null, proof: proofs.get(id) ?? null };
    return [{ ...match, because, ...evidence, is_later: isLater(match, stray) }];
  });
  return matches
    .filter(({ because, is_later }) => !is_later || because.includes('claim'))
    .sort((one, other) => rankOf(one) - rankOf(other));
}

const rankOf = ({ claimed_at, proof }: StrayMatch): number => (claimed_at !== null && proof !== null ? 0 : 1);

/** Ledgers close at whole seconds. */
const isLater = ({ created_at }: LikelyMatch, { at }: StrayRow): boolean =>
  Math.floor(created_at.getTime() / 1000) * 1000 > at.getTime();
