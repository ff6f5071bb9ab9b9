import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { nearMemos } from '../../rails/pi/memos/near-memos.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import type { UnmatchedRow } from './assign.ts';
import { type LikelyMatch, matchesById, wantingMatches } from './likely-matches.ts';
import { isProvedSql, type Proof, proofsOf } from './proofs.ts';

/** The payment that a deposit was assigned to. */
type Assigned = {
  reference: string;
  status: PaymentStatus;
  integration_id: string;
  integration_name: string;
};

/** An unmatched deposit as operators see it; units are at its asset's scale. */
export type UnmatchedLine = UnmatchedRow &
  (Assigned | { reference: null }) & {
    id: string;
    decider: string | null;
    /** How many payments of its mode claim it, and how many of these have a proof. */
    claims: number;
    proofs: number;
  };

const linesSql = `
SELECT s.*, s.ledger_id AS id, p.reference, p.status, p.integration_id, i.name AS integration_name,
  a.name AS decider, c.claims, c.proofs
FROM unmatched_deposits s
LEFT JOIN payments p ON p.id = s.payment_id
LEFT JOIN integrations i ON i.id = p.integration_id
LEFT JOIN accounts a ON a.id = s.decided_by
CROSS JOIN LATERAL (
  SELECT count(*)::int AS claims, count(*) FILTER (WHERE ${isProvedSql('q.id', 's.rail', 's.sender')})::int AS proofs
  ${claimsSql('s.transaction', 's.mode')}
) c
WHERE ($1::uuid IS NULL OR s.ledger_id < $1)`;

function claimsSql(transaction: string, mode: string): string {
  return `FROM payment_claims c JOIN payments q ON q.id = c.payment_id
  WHERE c.kind = 'paid' AND c.content = ${transaction} AND q.mode = ${mode}`;
}

const pageSql = {
  open: `${linesSql} AND s.state = 'open' ORDER BY s.ledger_id DESC LIMIT $2`,
  decided: `${linesSql} AND s.state <> 'open' ORDER BY s.ledger_id DESC LIMIT $2`,
};

/** Unmatched deposits that wait for a decision, or that were decided; newest first. */
export async function unmatchedLines(
  reader: Reader,
  which: keyof typeof pageSql,
  { before, limit }: { before: string | null; limit: number },
): Promise<UnmatchedLine[]> {
  const { rows } = await reader.query<UnmatchedLine>(pageSql[which], [before, limit]);
  return rows;
}

/** Why a deposit may be for a payment, the strongest reason first. `account`: the payment was paid from the same one. */
type MatchReason = 'claim' | 'account' | 'memo' | 'amount';

export type DepositMatch = LikelyMatch & {
  because: MatchReason[];
  /** When its customer named the transaction; null: they did not. */
  claimed_at: Date | null;
  proof: Proof | null;
  /** The payment was created after the deposit came; such a payment is listed only where its customer claims it. */
  is_later: boolean;
};

type ClaimRow = { id: string; at: Date };

// Those with a proof are shown however many others claim it.
const claimantsSql = `
SELECT q.id, c.created_at AS at ${claimsSql('$1', '$4')}
ORDER BY ${isProvedSql('q.id', '$2', '$3')} DESC, c.created_at LIMIT 20`;

/**
 * The payments of its mode and currency that a deposit is likely for: those whose customer claims it, the ones with a proof
 * first; then those whose memo is nearly the same; then those of about the same amount.
 */
export async function depositMatches(
  reader: Reader,
  assets: Assets,
  deposit: UnmatchedRow,
): Promise<DepositMatch[]> {
  const { rows: claims } = await reader.query<ClaimRow>(claimantsSql, [
    deposit.transaction,
    deposit.rail,
    deposit.sender,
    deposit.mode,
  ]);
  const claimedAt = new Map(claims.map(({ id, at }) => [id, at]));
  const near = deposit.memo === null ? [] : await nearMemos(reader, deposit.memo);
  const wanting = await wantingMatches(reader, assets, deposit, null);
  const ids = [...new Set([...claimedAt.keys(), ...near, ...wanting.map(({ id }) => id)])];
  const proofs = await proofsOf(reader, ids, deposit);
  const reasons: [MatchReason, Iterable<string>][] = [
    ['claim', claimedAt.keys()],
    ['account', proofs.keys()],
    ['memo', near],
    ['amount', wanting.map(({ id }) => id)],
  ];
  const grounds = reasons.map(([reason, of]) => [reason, new Set(of)] as const);
  const found = new Map((await matchesById(reader, ids)).map((match) => [match.id, match]));
  const currency = assets.find(deposit.asset)?.currency;
  const matches = ids.flatMap((id): DepositMatch[] => {
    const match = found.get(id);
    if (match?.mode !== deposit.mode || match.currency !== currency) return [];
    const because = grounds.filter(([, of]) => of.has(id)).map(([reason]) => reason);
    const evidence = { claimed_at: claimedAt.get(id) ?? null, proof: proofs.get(id) ?? null };
    return [{ ...match, because, ...evidence, is_later: isLater(match, deposit) }];
  });
  return matches
    .filter(({ because, is_later }) => !is_later || because.includes('claim'))
    .sort((one, other) => rankOf(one) - rankOf(other));
}

const rankOf = ({ claimed_at, proof }: DepositMatch): number =>
  claimed_at !== null && proof !== null ? 0 : 1;

/** Ledgers close at whole seconds. */
const isLater = ({ created_at }: LikelyMatch, { at }: UnmatchedRow): boolean =>
  Math.floor(created_at.getTime() / 1000) * 1000 > at.getTime();
