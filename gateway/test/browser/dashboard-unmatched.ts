import { after } from '../../src/kit/clock.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { createAssets } from '../../src/money/assets.ts';
import { claimPaid } from '../../src/payments/settlement/act.ts';
import { recordTransfers } from '../../src/payments/settlement/observe.ts';
import { assignUnmatched } from '../../src/payments/unmatched/assign.ts';
import { bookUnmatched } from '../../src/payments/unmatched/book.ts';
import type { Move } from '../../src/rails/move.ts';
import { memoOfOwner, openMemos } from '../../src/rails/pi/memos/memos.ts';
import type { UnmatchedDeposit } from '../../src/rails/rail.ts';
import { bookMove } from '../../src/treasury/moves.ts';
import type { CreatedPayment } from '../support/api.ts';
import { noHints } from '../support/fixtures.ts';
import { noRail, payoutParts } from '../support/payment-fixtures.ts';
import type { RunningApp } from '../support/running.ts';

const assets = createAssets();
const now = () => new Date();
const deps = { hints: noHints, assets, rail: noRail, now, ...payoutParts(assets, now) };

/** A live payment in PI, with the memo that its rail gives it. */
export async function createLivePi(app: RunningApp, amount: number) {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount, currency: 'PI', payment_type: 'deposit' },
  });
  const { id, payment_reference: reference } = body.data.PaymentData;
  await transaction(app.db, (tx) => openMemos(tx, [id], new Date()));
  return { id, reference, memo: (await memoOfOwner(app.db, id))! };
}

/** An unmatched deposit arrives, from a new account. */
export async function depositArrives(
  { db }: RunningApp,
  units: bigint,
  memo: string | null,
  at: Date = new Date(),
): Promise<UnmatchedDeposit> {
  const id = newId().replaceAll('-', '');
  const deposit: UnmatchedDeposit = {
    ...{ rail: 'pi', key: `${id}${id}:1`, ledgerId: newId(), transaction: id + id, asset: 'pi', units },
    ...{ sender: `G${id.toUpperCase()}`.padEnd(56, 'X'), memo, at },
  };
  await transaction(db, (tx) => bookUnmatched(tx, deps, deposit));
  return deposit;
}

/** A customer claims the deposit's transaction on the page of their payment. */
export const claimOf = ({ db }: RunningApp, paymentId: string, { transaction: hash }: UnmatchedDeposit) =>
  transaction(db, (tx) => claimPaid(tx, paymentId, hash, new Date()));

/** One unit arrives from this account with the payment's memo: the proof of a claim. */
export const paidFrom = ({ db }: RunningApp, paymentId: string, sender: string) =>
  transaction(db, async (tx) => {
    const key = newId();
    const seen = { rail: 'pi', key, paymentId, transaction: key, asset: 'pi', units: 1n, sender };
    const final = { ...seen, state: 'final', confirmations: 1, needed: 1 } as const;
    await recordTransfers(tx, deps, [{ seen: final, at: deps.now() }]);
  });

/** Several undecided deposits and a decided one. Returns the id of a deposit that several payments may match. */
export async function receiveUnmatched(app: RunningApp): Promise<string> {
  const minutesAgo = (count: number): Date => after(new Date(), -60 * count);
  const [paid, near, claimed] = [
    await createLivePi(app, 12),
    await createLivePi(app, 31.4),
    await createLivePi(app, 31.4),
  ];
  const done = await depositArrives(app, 120_000_000n, 'order 1042', minutesAgo(90));
  const by = { accountId: newId(), reason: 'The receipt of the customer’s wallet shows it' };
  await transaction(app.db, (tx) => assignUnmatched(tx, deps, done.ledgerId, { paymentId: paid.id, by }));
  await depositArrives(app, 5_000_000n, null, minutesAgo(40));
  await depositArrives(app, 1_234_567n, 'thank you for everything', minutesAgo(30));
  const wrong = `${near.memo.slice(0, 4)}${near.memo[5]}${near.memo[4]}${near.memo.slice(6)}`;
  const deposit = await depositArrives(app, 314_000_000n, wrong);
  await claimOf(app, claimed.id, deposit);
  await paidFrom(app, claimed.id, deposit.sender!);
  return deposit.ledgerId;
}

/** Money leaves the treasury of a chain and nobody ordered it. Returns its id. */
export async function leaveUnordered({ db }: RunningApp): Promise<string> {
  const ledgerId = newId();
  const move: Move = {
    ...{ rail: 'evm:56', ledgerId, transaction: `0x${'7e'.repeat(32)}`, asset: 'usdc-bep20' },
    ...{ sender: `0x${'1a'.repeat(20)}`, receiver: `0x${'2b'.repeat(20)}`, at: new Date() },
    units: 25n * 10n ** 18n,
    from: 'treasury',
    to: 'operator',
    state: 'final',
  };
  await transaction(db, (tx) => bookMove(tx, move, { mode: 'live', now: new Date() }));
  return ledgerId;
}
