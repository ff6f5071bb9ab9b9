import { newId } from '../../src/kit/ids.ts';
import { recordTransfer } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { bookStray } from '../../src/payments/unmatched/book.ts';
import type { Observation, Stray } from '../../src/rails/rail.ts';
import { type Shop, write } from './payment-fixtures.ts';

/** One PI, in its units. */
export const onePi = 10_000_000n;

/** A stray of 10 PI, of an account and a transaction of its own, that arrives now. */
export function strayAt(shop: Shop, changes: Partial<Stray> = {}): Stray {
  const id = newId().replaceAll('-', '');
  return {
    ...{ rail: 'pi', key: `${id}${id}:1`, ledgerId: newId(), transaction: id + id, asset: 'pi' },
    ...{ units: 10n * onePi, sender: `G${id}`, memo: null, at: shop.clock.now() },
    ...changes,
  };
}

/** The rail tells of a stray. */
export const tellStray = (shop: Shop, stray: Stray): Promise<void> =>
  write(shop, (tx) => bookStray(tx, shop.deps, stray));

/** The rail reports a transfer with the payment's memo. */
export async function tellPaid(
  shop: Shop,
  { id: paymentId }: Pick<Payment, 'id'>,
  seen: Pick<Stray, 'units' | 'sender'> & Partial<Pick<Observation, 'key' | 'state'>>,
): Promise<void> {
  const { units, sender, key = newId(), state = 'final' } = seen;
  await write(shop, (tx) =>
    recordTransfer(tx, shop.deps, {
      ...{ rail: 'pi', key, paymentId, transaction: key, asset: 'pi', units, state },
      ...{ confirmations: 1, needed: 1, ...(sender !== null && { sender }) },
    }),
  );
}
