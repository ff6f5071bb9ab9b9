import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import { type Line, type LineFilter, linesOf } from '../ledger/lines.ts';
import { sendsById } from '../wallets/sends/send.ts';
import type { UserId } from '../wallets/users.ts';

/** What a line of a wallet is, for programs. */
const lineKinds = [
  'funded',
  'paid',
  'sent',
  'received',
  'deposit',
  'deposit_lost',
  'withdrawal',
  'fee',
  'refunded',
  'returned',
  'owed',
  'other',
] as const;
type LineKind = (typeof lineKinds)[number];

/** A line of a wallet with its cause; names are null when there is nobody to name. */
export type WalletLine = Pick<Line, 'seq' | 'asset' | 'units' | 'balance' | 'created_at'> & {
  kind: LineKind;
  /** What it was booked for, such as the deposit or the withdrawal. */
  causeId: string | null;
  merchant: string | null;
  reference: string | null;
  username: string | null;
  note: string | null;
};

const kindsOf: Readonly<Record<string, { in: LineKind; out: LineKind }>> = {
  fund_user: { in: 'funded', out: 'other' },
  payment_received: { in: 'returned', out: 'paid' },
  payment_lost: { in: 'returned', out: 'other' },
  wallet_send: { in: 'received', out: 'sent' },
  refund_sent: { in: 'refunded', out: 'other' },
  deposit: { in: 'deposit', out: 'other' },
  deposit_undone: { in: 'other', out: 'deposit_lost' },
  withdrawal: { in: 'returned', out: 'withdrawal' },
  withdrawal_undone: { in: 'returned', out: 'other' },
  withdrawal_late: { in: 'other', out: 'withdrawal' },
  withdrawal_late_undone: { in: 'returned', out: 'other' },
  payout: { in: 'returned', out: 'withdrawal' },
  payout_fee: { in: 'other', out: 'fee' },
  payout_fee_undone: { in: 'returned', out: 'other' },
  receivable_paid: { in: 'other', out: 'owed' },
};

function kindOf({ cause, units }: Line): LineKind {
  return kindsOf[cause]?.[units > 0n ? 'in' : 'out'] ?? 'other';
}

/** A user's lines before `beforeSeq`, newest first, each with its cause and the other party. */
export async function walletLines(
  reader: Reader,
  { userId, mode }: { userId: UserId; mode: Mode },
  filter: LineFilter,
  page: { beforeSeq: bigint | null; limit: number },
): Promise<WalletLine[]> {
  const lines = await linesOf(reader, { kind: 'user', owner: userId, mode }, filter, page);
  const causes = lines.flatMap(({ cause_id }) => cause_id ?? []);
  const [payments, merchants, sends] = await Promise.all([
    paymentsOf(reader, causes),
    merchantsOf(
      reader,
      lines.filter(({ other_kind }) => other_kind === 'business').map(({ other_owner }) => other_owner),
    ),
    sendsById(reader, causes),
  ]);
  return lines.map((line) => {
    const { seq, asset, units, balance, created_at } = line;
    const payment = payments.get(line.cause_id ?? '');
    const send = sends.get(line.cause_id ?? '');
    return {
      ...{ seq, asset, units, balance, created_at },
      kind: kindOf(line),
      causeId: line.cause_id,
      merchant: payment?.merchant ?? merchants.get(line.other_owner) ?? null,
      reference: payment?.reference ?? null,
      username: (send && (units > 0n ? send.sender : send.receiver)) ?? null,
      note: send?.note ?? null,
    };
  });
}

type PaymentRow = { id: string; reference: string; merchant: string };

async function paymentsOf(reader: Reader, ids: string[]): Promise<Map<string, PaymentRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<PaymentRow>(
    `SELECT p.id, p.reference, i.name AS merchant
     FROM payments p JOIN integrations i ON i.id = p.integration_id WHERE p.id = ANY ($1)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function merchantsOf(reader: Reader, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; name: string }>(
    'SELECT id, name FROM integrations WHERE id = ANY ($1)',
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
