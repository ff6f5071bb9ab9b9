import type { Mode } from '../../identity/integration.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { dryRun } from '../../kit/db/dry-run.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid, isCleanText } from '../../kit/http/fields.ts';
import { newId } from '../../kit/ids.ts';
import { type AccountRef, lockAccounts, postTransfers } from '../../ledger/ledger.ts';
import { repayReceivables } from '../../ledger/receivable.ts';
import type { Asset } from '../../money/assets.ts';
import { walletErrors } from '../errors.ts';
import { assertForm } from '../form.ts';
import { takeUse } from '../limits.ts';
import { recordNotices } from '../notices.ts';
import { lockUsers, type Standing } from '../standing.ts';
import { findUserIds, type UserId } from '../users.ts';

/** What a user asks to be sent. */
export type SendRequest = {
  mode: Mode;
  /** The receiver's username. */
  to: string;
  asset: Asset;
  /** At the asset's scale. */
  units: bigint;
  note: string | null;
  /** Names the form, which has one effect however often it is sent. */
  formKey: string;
};

/** Money that went from one user to another, with the names as the users chose them. */
export type Send = {
  id: string;
  mode: Mode;
  asset: string;
  units: bigint;
  sender: string;
  receiver: string;
  note: string | null;
  at: Date;
};

const longestNote = 140;

/**
 * Sends money to another user, at once and free: the ledger transfer, what it takes of limits, the row and both notices in
 * one transaction. A form that was sent before gets the send of that time. Throws `idempotency_mismatch` where that form
 * asked for something else, `user_not_found`, `sent_to_oneself`, `wallet_frozen`, `receiver_frozen`, `balance_short`, `wallet_limit`.
 */
export async function send(
  tx: Tx,
  { now: clock }: { now: Clock },
  senderId: UserId,
  request: SendRequest,
): Promise<Send> {
  const now = clock();
  const { mode, asset, units, note } = readRequest(request);
  const receiverId = (await findUserIds(tx, [request.to])).get(request.to);
  const users = await lockUsers(tx, receiverId ? [senderId, receiverId] : [senderId]);
  const earlier = await sendOfForm(tx, senderId, request.formKey);
  if (earlier) return sameSend(earlier, request, receiverId);
  const sender = users.get(senderId);
  if (!sender) throw new Error(`No user ${senderId}`);
  if (sender.isFrozen) throw refuse(walletErrors.wallet_frozen);
  const receiver = receiverId && users.get(receiverId);
  if (!receiver) throw refuse(walletErrors.user_not_found);
  if (receiver.id === senderId) throw refuse(walletErrors.sent_to_oneself);
  if (receiver.isFrozen) throw refuse(walletErrors.receiver_frozen, { username: receiver.username });

  const id = newId(now);
  await moveMoney(tx, { id, mode, asset: asset.code, units }, [sender, receiver], now);
  await takeUse(tx, { user: sender, mode, action: 'send', asset, units }, now);
  await tx.query(
    `INSERT INTO wallet_sends (id, mode, sender_id, receiver_id, asset, units, note, form_key, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, mode, sender.id, receiver.id, asset.code, units, note, request.formKey, now],
  );
  const shared = { mode, asset: asset.code, units, aboutId: id };
  await recordNotices(
    tx,
    [
      { ...shared, userId: sender.id, kind: 'sent', other: receiver.username },
      { ...shared, userId: receiver.id, kind: 'received', other: sender.username },
    ],
    now,
  );
  const names = { sender: sender.username, receiver: receiver.username };
  return { id, mode, asset: asset.code, units, ...names, note, at: now };
}

/** What a send would do, without doing it; it is refused as the send itself would be. */
export async function previewSend(
  db: Database,
  deps: { now: Clock },
  senderId: UserId,
  request: SendRequest,
): Promise<Send> {
  return await dryRun(db, (tx) => send(tx, deps, senderId, request));
}

function readRequest(request: SendRequest): SendRequest {
  assertForm(request);
  const { note } = request;
  if (note !== null && (!isCleanText(note) || note.length > longestNote)) {
    throw invalid('note', `must have at most ${longestNote} characters`);
  }
  return { ...request, note: note?.trim() || null };
}

type Money = { id: string; mode: Mode; asset: string; units: bigint };

/** Both first pay what they owe: the sender before the money leaves, the receiver out of what arrives. */
async function moveMoney(
  tx: Tx,
  { id, mode, asset, units }: Money,
  [sender, receiver]: readonly [Standing, Standing],
  now: Date,
): Promise<void> {
  const kinds = ['user', 'receivable'] as const;
  await lockAccounts(
    tx,
    [sender, receiver].flatMap((user) =>
      kinds.map((kind): AccountRef => ({ kind, owner: user.id, mode, asset })),
    ),
  );
  const debtOf = (owner: UserId) => ({ owner, mode, assets: [asset], causeId: id });
  await repayReceivables(tx, [debtOf(sender.id)], now);
  const [outcome] = await postTransfers(
    tx,
    [
      {
        ...{ id, mode, asset, units, cause: 'wallet_send', causeId: id },
        debit: { kind: 'user', owner: sender.id },
        credit: { kind: 'user', owner: receiver.id },
      },
    ],
    now,
  );
  if (outcome === 'insufficient') throw refuse(walletErrors.balance_short);
  if (outcome !== 'posted') throw new Error(`Send ${id}: ${outcome}`);
  await repayReceivables(tx, [debtOf(receiver.id)], now);
}

type SendRow = Send & { receiverId: UserId };

const sendRow = `SELECT s.id, s.mode, s.asset, s.units, f.username AS sender, t.username AS receiver, s.note,
    s.created_at AS at, s.receiver_id AS "receiverId"
  FROM wallet_sends s JOIN users f ON f.id = s.sender_id JOIN users t ON t.id = s.receiver_id`;

async function sendOfForm(reader: Reader, senderId: UserId, formKey: string): Promise<SendRow | undefined> {
  const { rows } = await reader.query<SendRow>(`${sendRow} WHERE s.sender_id = $1 AND s.form_key = $2`, [
    senderId,
    formKey,
  ]);
  return rows[0];
}

function sameSend(
  { receiverId: wasTo, ...earlier }: SendRow,
  { mode, asset, units, note }: SendRequest,
  receiverId: UserId | undefined,
): Send {
  const isSame =
    wasTo === receiverId &&
    earlier.mode === mode &&
    earlier.asset === asset.code &&
    earlier.units === units &&
    earlier.note === (note?.trim() || null);
  if (!isSame) throw refuse(kitErrors.idempotency_mismatch);
  return earlier;
}

/** Sends by their ids, as a user's history shows them. */
export async function sendsById(reader: Reader, ids: readonly string[]): Promise<Map<string, Send>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<SendRow>(`${sendRow} WHERE s.id = ANY ($1)`, [ids]);
  return new Map(rows.map(({ receiverId: _, ...row }) => [row.id, row]));
}
