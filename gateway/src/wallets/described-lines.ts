import type { Reader } from '../kit/db/db.ts';
import type { Line } from '../ledger/lines.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { paymentsById } from '../payments/read/by-id.ts';
import { walletsOutside } from './remote-wallets.ts';
import { usernamesOf } from './users.ts';

/** What caused a line: a payment, another user, or an API key; null where there is none. */
export type Described = {
  payment_reference: string | null;
  username: string | null;
  /** The end of the API key that asked for it, and the address from which it did. */
  key: string | null;
  address: string | null;
};

/** Lines with the payment or the user behind each; a few queries for any number of them. */
export async function describeLines<L extends Omit<Line, 'balance'>>(
  reader: Reader,
  lines: L[],
): Promise<(L & Described)[]> {
  const [payments, usernames, remote, callers] = await Promise.all([
    paymentsById(reader, unique(lines.map(({ cause_id }) => cause_id))),
    usernamesOf(reader, unique(lines.map((line) => (line.other_kind === 'user' ? line.other_owner : null)))),
    remoteUsernamesOf(reader, unique(lines.map((line) => (isRemote(line) ? line.transfer : null)))),
    callersOf(reader, unique(lines.map((line) => (line.cause === 'fund_user' ? line.transfer : null)))),
  ]);
  return lines.map((line) => ({
    ...line,
    payment_reference: payments.get(line.cause_id ?? '')?.reference ?? null,
    username: usernames.get(line.other_owner) ?? remote.get(line.transfer) ?? null,
    key: callers.get(line.transfer)?.key ?? null,
    address: callers.get(line.transfer)?.address ?? null,
  }));
}

/** Lines as the dashboard shows them. */
export async function lineViews(reader: Reader, assets: Assets, lines: Line[]) {
  return (await describeLines(reader, lines)).map((line) => {
    const { scale, network, currency } = assets.get(line.asset);
    return {
      id: line.transfer,
      asset: line.asset,
      currency,
      network,
      amount: decimalOf(line.units, scale),
      balance_after: line.balance === null ? null : decimalOf(line.balance, scale),
      cause: line.cause,
      payment_reference: line.payment_reference,
      username: line.username,
      key: line.key,
      address: line.address,
      created_at: line.created_at.toISOString(),
    };
  });
}

function isRemote({ other_kind, other_owner }: Pick<Line, 'other_kind' | 'other_owner'>): boolean {
  return other_kind === walletsOutside.kind && other_owner === walletsOutside.owner;
}

/** Whom another system credited, by the ids of the ledger's transfers. */
async function remoteUsernamesOf(reader: Reader, transferIds: string[]): Promise<Map<string, string>> {
  if (transferIds.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; username: string }>(
    'SELECT id, username FROM remote_fundings WHERE id = ANY($1)',
    [transferIds],
  );
  return new Map(rows.map(({ id, username }) => [id, username]));
}

type CallerRow = { id: string; key: string; address: string };

/** The keys that asked for these transfers, by the transfers' ids. */
async function callersOf(reader: Reader, transferIds: string[]): Promise<Map<string, CallerRow>> {
  if (transferIds.length === 0) return new Map();
  const { rows } = await reader.query<CallerRow>(
    `SELECT t.id, '…' || k.hint AS key, coalesce(t.address, f.address) AS address
     FROM ledger_transfers t LEFT JOIN remote_fundings f ON f.id = t.id
     JOIN api_keys k ON k.id = coalesce(t.key_id, f.key_id)
     WHERE t.id = ANY ($1)`,
    [transferIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function unique(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
