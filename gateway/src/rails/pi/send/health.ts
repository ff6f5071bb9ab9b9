import type { Reader } from '../../../kit/db/db.ts';
import type { RailFault } from '../../rail.ts';
import type { Place } from './order.ts';

type Waiting = { count: number; fault: string };

/** What keeps orders from being sent, for operators. */
export async function sendFaults(reader: Reader, { passphrase, account }: Place): Promise<RailFault[]> {
  const place = [passphrase, account];
  const lanes = await reader.query<{ fault: string }>(
    'SELECT fault FROM pi_lanes WHERE passphrase = $1 AND account = $2 AND fault IS NOT NULL',
    place,
  );
  const waiting = await reader.query<Waiting>(
    `SELECT count(*)::int AS count, (array_agg(fault ORDER BY created_at))[1] AS fault FROM pi_sends
     WHERE passphrase = $1 AND account = $2 AND state = 'queued' AND fault IS NOT NULL HAVING count(*) > 0`,
    place,
  );
  const messages = [
    ...lanes.rows.map(({ fault }) => fault),
    ...waiting.rows.map(
      ({ count, fault }) => `${count} ${count === 1 ? 'order waits' : 'orders wait'}: ${fault}`,
    ),
  ];
  return messages.map((message) => ({ code: 'not_sending', message }));
}
