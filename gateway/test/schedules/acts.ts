import type { Database } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { balancesOf, postAll } from '../../src/ledger/ledger.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { cancelPayment, linkPayment } from '../../src/payments/settlement/act.ts';
import { expireDue } from '../../src/payments/settlement/expire.ts';
import { paymentById, type Shop, write } from '../support/payment-fixtures.ts';
import { noteEntry } from './journal.ts';

// What happens to payments in a schedule whatever their rail is.

type Game = { world: { db: Database }; shop: Shop; paid: { payment: Payment }[] };

/** What has become due happens to all payments. */
export async function expire({ shop, world }: Game): Promise<void> {
  await expireDue(world.db, shop.deps);
  await noteEntry(world.db, null, { what: 'expire', at: shop.clock.now() });
}

/** Refused by the gateway when it is too late, as it should be. */
export async function cancel(
  game: Game,
  { payment: index, by }: { payment: number; by: 'customer' | 'merchant' },
): Promise<void> {
  const { shop, world, paid } = game;
  const { payment } = paid[index % paid.length]!;
  await expire(game);
  const { status } = await paymentById(world.db, payment.id);
  if (status !== 'unlinked' && status !== 'linked') return;
  await write(shop, async (tx) => {
    await cancelPayment(tx, shop.deps, payment.id, by);
    await noteEntry(tx, payment.id, { what: 'cancel', by, at: shop.clock.now() });
  });
}

/** The customer chooses how to pay a payment: with this asset. It is refused when it is too late, as it should be. */
export async function choose({ shop, world }: Game, payment: Payment, asset: string): Promise<void> {
  const { status, deadline } = await paymentById(world.db, payment.id);
  if (shop.clock.now() >= deadline || (status !== 'unlinked' && status !== 'linked')) return;
  await write(shop, async (tx) => {
    await noteEntry(tx, payment.id, { what: 'choice', at: shop.clock.now() });
    await linkPayment(tx, shop.deps, payment.id, asset);
  });
}

/** The business spends its whole balance: what a refund then takes from it becomes a receivable. */
export async function spendAll({ shop, world }: Pick<Game, 'shop' | 'world'>): Promise<void> {
  const business = { kind: 'business', owner: shop.caller.integration.id, mode: 'live' } as const;
  const balances = await balancesOf(world.db, business);
  const transfers = balances
    .filter(({ available }) => available > 0n)
    .map(({ asset, available }) => ({
      id: newId(),
      mode: business.mode,
      asset,
      units: available,
      debit: { kind: business.kind, owner: business.owner },
      credit: { kind: 'user' as const, owner: newId() },
      cause: 'fund_user',
      causeId: null,
    }));
  await write(shop, (tx) => postAll(tx, transfers, shop.clock.now()));
}
