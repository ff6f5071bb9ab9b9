import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { HealthHour, WebhookOverview } from '../answers/console-answers.ts';
import { listEndpoints } from './endpoints.ts';
import { healthOf } from './health.ts';

/** The health of all of the owner's endpoints together. */
export async function webhookOverview(reader: Reader, owner: Owner): Promise<WebhookOverview> {
  const endpoints = await listEndpoints(reader, owner);
  const healths = await healthOf(
    reader,
    endpoints.map(({ id }) => id),
  );
  const hours = new Map<string, HealthHour>();
  let queued = 0;
  for (const health of healths.values()) {
    queued += health.queued;
    for (const { hour, delivered, failed } of health.hours) {
      const sum = hours.get(hour) ?? { hour, delivered: 0, failed: 0 };
      hours.set(hour, { hour, delivered: sum.delivered + delivered, failed: sum.failed + failed });
    }
  }
  const ordered = [...hours.values()].sort((a, b) => (a.hour < b.hour ? -1 : 1));
  const delivered = ordered.reduce((sum, each) => sum + each.delivered, 0);
  const failed = ordered.reduce((sum, each) => sum + each.failed, 0);
  const standing = (status: string): number => endpoints.filter((each) => each.status === status).length;
  return {
    endpoints: { active: standing('active'), paused: standing('paused'), disabled: standing('disabled') },
    delivered,
    failed,
    rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    queued,
    hours: ordered,
  };
}
