import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { recordPayoutEvents as record } from '../../webhooks/events/outbox.ts';
import type { Payout } from '../payout/payout.ts';

export type PayoutEventType =
  | 'payout_awaiting_approval'
  | 'payout_completed'
  | 'payout_failed'
  | 'payout_cancelled';

/** Records the events of payouts that have just moved; null: a move without an event. */
export async function recordPayoutEvents(
  tx: Tx,
  { hints, assets }: { hints: Hints; assets: Assets },
  moved: readonly { payout: Payout; event: PayoutEventType | null }[],
  now: Date,
): Promise<void> {
  const events = moved.flatMap(({ payout, event: type }) => {
    const { integrationId, asset } = payout;
    if (type === null || integrationId === null) return [];
    const { scale } = assets.get(asset);
    return [
      {
        ...{ integrationId, type, at: now },
        mode: payout.mode,
        sequence: payout.eventSequence,
        payout: {
          id: payout.id,
          reference: payout.reference,
          purpose: payout.purpose,
          asset,
          amount: decimalOf(payout.units, scale),
          fee: decimalOf(payout.fee, scale),
          to: payout.to,
          memo: payout.memo,
          status: payout.status,
          transaction: payout.transaction,
        },
      },
    ];
  });
  await record(tx, hints, events);
}
