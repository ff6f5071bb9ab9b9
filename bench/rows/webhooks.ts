import { isShort, type RowOptions } from '../http-row.ts';
import type { RowResult } from '../result.ts';
import { drain } from '../webhook-drain.ts';
import { latency } from '../webhook-latency.ts';
import { withWebhookRig } from '../webhook-rig.ts';
import { trouble } from '../webhook-trouble.ts';

/** Webhooks delivered per second out of a full queue, and how soon one arrives without a queue. */
export async function webhooks(options: RowOptions): Promise<RowResult> {
  return await withWebhookRig(async (rig) => ({
    row: 'webhooks',
    title: 'Webhooks delivered',
    cases: [
      await latency(rig, options),
      await drain(rig, 1, options),
      ...(isShort(options.seconds) ? [] : [await drain(rig, 500, options)]),
      await trouble(rig, options),
    ],
  }));
}
