import type { Reader } from '../../../kit/db/db.ts';
import type { Work } from '../send/deps.ts';
import { payCall } from './calls.ts';
import { noteSigned, ordersById, stillPayable } from './orders.ts';

/**
 * Transactions that pay orders. What one did with its orders is read from the vault's events, which two endpoints show,
 * and never from a receipt alone.
 */
export function payoutWork(reader: Reader): Work {
  return {
    kind: 'payout',
    call: async ({ token, treasury, owners }) => ({
      to: treasury,
      data: payCall(token, await ordersById(reader, owners)),
    }),
    stillDue: (each, isAnew) => stillPayable(reader, each, isAnew),
    prepared: (tx, { id, owners }) => noteSigned(tx, owners, id),
    moved: () => null,
    finish: async (_, __, { succeeded }) => (succeeded ? null : 'the payouts were reverted'),
  };
}
