import { Keypair } from '@stellar/stellar-sdk';
import type { Tx } from '../../src/kit/db/db.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { returnAppeal } from '../../src/payments/appeals/resolve.ts';
import { orderOwedRefund } from '../../src/payments/refunds/by-operator.ts';
import { claimPaid } from '../../src/payments/settlement/act.ts';
import { assignUnmatched, keepUnmatched } from '../../src/payments/unmatched/assign.ts';
import { returnUnmatched } from '../../src/payments/unmatched/return-unmatched.ts';
import { noteEntry } from '../schedules/journal.ts';
import { isTrouble } from '../schedules/trouble.ts';
import { write } from '../support/payment-fixtures.ts';
import { partOf } from './driver.ts';
import type { Game } from './game.ts';
import type { Recipient, Step } from './steps.ts';

// What operators, merchants and customers decide about money that is not where it should be.

const operator = { accountId: newId(), reason: 'a schedule says so' };

/** Decides about the n-th unmatched deposit that is open; does nothing where there is none. */
export async function decideDeposit(game: Game, step: Extract<Step, { do: 'decide' }>): Promise<void> {
  const { shop, world, assigned } = game;
  const { rows } = await world.db.query<{
    ledger_id: string;
    key: string;
    transaction: string;
    units: bigint;
  }>(
    "SELECT ledger_id, key, transaction, units FROM unmatched_deposits WHERE state = 'open' ORDER BY at, key",
  );
  const deposit = rows[step.deposit % rows.length];
  if (!deposit) return;
  const { payment } = game.paid[step.payment % game.paid.length]!;
  const now = shop.clock.now();
  const { ledger_id: id, key, transaction, units } = deposit;
  switch (step.how) {
    case 'assign':
      if (
        await done(game, (tx) => assignUnmatched(tx, shop.deps, id, { paymentId: payment.id, by: operator }))
      ) {
        assigned.set(key, payment.id);
      }
      return;
    case 'keep':
      return void (await done(game, (tx) => keepUnmatched(tx, id, operator, now)));
    case 'claim':
      return void (await done(game, (tx) => claimPaid(tx, payment.id, transaction, now)));
    case 'return': {
      const place = placeOf(game, step.to);
      if (await done(game, (tx) => returnUnmatched(tx, shop.deps, id, { ...place, by: operator }))) {
        game.orders.push({ memo: place.memo, units, paymentId: null });
      }
    }
  }
}

/** Refunds a payment that is in appeal. */
export async function refundPayment(game: Game, index: number): Promise<void> {
  const { shop, world, paid } = game;
  const { payment } = paid[index % paid.length]!;
  const { rows } = await world.db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
    [payment.id],
  );
  const { accountId } = operator;
  for (const { id } of rows) {
    await done(game, async (tx) => {
      await returnAppeal(tx, shop.deps, { scope: 'all', id }, { accountId, as: 'operator', note: null });
      await noteEntry(tx, payment.id, { what: 'return', at: shop.clock.now() });
    });
  }
}

/** Has the n-th refund that is owed sent by the rail. */
export async function sendRefund(game: Game, index: number, recipient: Recipient): Promise<void> {
  const { shop, world } = game;
  const { rows } = await world.db.query<{ id: string; payment_id: string; units: bigint }>(
    "SELECT id, payment_id, units FROM payment_refunds WHERE status = 'awaiting_destination' ORDER BY id",
  );
  const owed = rows[index % rows.length];
  if (!owed) return;
  const place = placeOf(game, recipient);
  const by = { accountId: operator.accountId, name: 'operator' };
  if (await done(game, (tx) => orderOwedRefund(tx, shop.deps, owed.id, { destination: place, by }))) {
    game.orders.push({ memo: place.memo, units: owed.units, paymentId: owed.payment_id });
  }
}

/** Where to send to, with a memo that no other order has. */
function placeOf({ world, orders }: Game, recipient: Recipient): { to: string; memo: string } {
  const payer = world.network.payers[0]!.publicKey();
  const addresses = { payer, part: partOf(payer, 7n), nobody: Keypair.random().publicKey() };
  return { to: addresses[recipient], memo: `send ${orders.length}` };
}

/** Whether it was done: what is not possible is refused, as it should be. */
async function done(game: Game, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await write(game.shop, work);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) && !isTrouble(error)) throw error;
    return false;
  }
}
