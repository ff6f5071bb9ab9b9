import { after } from '../../../kit/clock.ts';
import type { Reader } from '../../../kit/db/db.ts';
import type { RailFault } from '../../health.ts';
import type { PiConfig } from '../horizon/network.ts';
import type { Platform } from './client.ts';

/** The platform may take this long without a fault. */
const patienceSeconds = 120;

/** What keeps payments inside the Pi Browser from being completed, for operators. */
export async function platformFaults(
  reader: Reader,
  { keyFault, isTest = false }: Pick<Platform, 'keyFault'> & Pick<PiConfig, 'isTest'>,
  now: Date,
): Promise<RailFault[]> {
  const { rows } = await reader.query<{ count: number; fault: string | null }>(
    `SELECT count(*)::integer AS count, max(fault) AS fault FROM pi_platform_payments
     WHERE state = 'paid' AND paid_at <= $1 AND is_test = $2`,
    [after(now, -patienceSeconds), isTest],
  );
  const { count = 0, fault = null } = rows[0] ?? {};
  const reasons = [keyFault()];
  if (count > 0) {
    const why = fault === null ? '' : ` The last reason: ${fault}`;
    reasons.push(`Paid payments that the Pi platform has not confirmed: ${count}.${why}`);
  }
  return reasons.filter((message) => message !== null).map((message) => ({ code: 'not_completed', message }));
}
