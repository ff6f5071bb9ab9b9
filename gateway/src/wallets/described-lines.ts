import type { Reader } from '../kit/db/db.ts';
import type { Line } from '../ledger/lines.ts';
import { paymentsById } from '../payments/read/by-id.ts';
import { usernamesOf } from './users.ts';

/** Whose doing a line was, where there is somebody or something to name. */
export type Described = { payment_reference: string | null; username: string | null };

/** Lines with the payment or the user behind each; a few queries for any number of them. */
export async function describeLines<L extends Omit<Line, 'balance'>>(
  reader: Reader,
  lines: L[],
): Promise<(L & Described)[]> {
  const [payments, usernames, remote] = await Promise.all([
    paymentsById(reader, unique(lines.map(({ cause_id }) => cause_id))),
    usernamesOf(reader, unique(lines.map((line) => (line.other_kind === 'user' ? line.other_owner : null)))),
    remoteUsernamesOf(reader, unique(lines.map((line) => (isRemote(line) ? line.transfer : null)))),
  ]);
  return lines.map((line) => ({
    ...line,
    payment_reference: payments.get(line.cause_id ?? '')?.reference ?? null,
    username: usernames.get(line.other_owner) ?? remote.get(line.transfer) ?? null,
  }));
}

function isRemote({ other_kind, other_owner }: Pick<Line, 'other_kind' | 'other_owner'>): boolean {
  return other_kind === 'external' && other_owner === 'wallets';
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

function unique(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
