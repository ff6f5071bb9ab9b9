import { newId } from '../../src/kit/ids.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { recordTransfers } from '../../src/payments/settlement/observe.ts';
import { bookUnmatched } from '../../src/payments/unmatched/book.ts';
import type { Observation, UnmatchedDeposit } from '../../src/rails/rail.ts';
import { type Shop, write } from './payment-fixtures.ts';

/** One PI, in its units. */
export const onePi = 10_000_000n;

/** An unmatched deposit of 10 PI that arrives now, with an account and a transaction of its own. */
export function depositAt(shop: Shop, changes: Partial<UnmatchedDeposit> = {}): UnmatchedDeposit {
  const id = newId().replaceAll('-', '');
  return {
    ...{ rail: 'pi', key: `${id}${id}:1`, ledgerId: newId(), transaction: id + id, asset: 'pi' },
    ...{ units: 10n * onePi, sender: `G${id}`, memo: null, at: shop.clock.now() },
    ...changes,
  };
}

/** The rail reports an unmatched deposit. */
export const reportUnmatched = (shop: Shop, deposit: UnmatchedDeposit): Promise<void> =>
  write(shop, (tx) => bookUnmatched(tx, shop.deps, deposit));

/** The rail reports a transfer with the payment's memo. */
export async function reportPaid(
  shop: Shop,
  { id: paymentId }: Pick<Payment, 'id'>,
  seen: Pick<UnmatchedDeposit, 'units' | 'sender'> & Partial<Pick<Observation, 'key' | 'state'>>,
): Promise<void> {
  const { units, sender, key = newId(), state = 'final' } = seen;
  await write(shop, (tx) =>
    recordTransfers(tx, shop.deps, [
      {
        seen: {
          ...{ rail: 'pi', key, paymentId, transaction: key, asset: 'pi', units, state },
          ...{ confirmations: 1, needed: 1, ...(sender !== null && { sender }) },
        },
        at: shop.clock.now(),
      },
    ]),
  );
}
