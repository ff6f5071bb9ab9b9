import type { Reader } from '../../../kit/db/db.ts';
import type { RailFault } from '../../health.ts';
import type { Place } from './order.ts';

type Waiting = { count: number; fault: string };

/** What keeps orders from being sent, for operators. */
export async function sendFaults(reader: Reader, { passphrase, account }: Place): Promise<RailFault[]> {
  const place = [passphrase, account];
  const senders = await reader.query<{ fault: string }>(
    'SELECT fault FROM pi_senders WHERE passphrase = $1 AND account = $2 AND fault IS NOT NULL',
    place,
  );
  const waiting = await reader.query<Waiting>(
    `SELECT count(*)::int AS count, (array_agg(fault ORDER BY created_at))[1] AS fault FROM pi_sends
     WHERE passphrase = $1 AND account = $2 AND state = 'queued' AND fault IS NOT NULL HAVING count(*) > 0`,
    place,
  );
  const messages = [
    ...senders.rows.map(({ fault }) => fault),
    ...waiting.rows.map(
      ({ count, fault }) => `${count} ${count === 1 ? 'order waits' : 'orders wait'}: ${fault}`,
    ),
  ];
  return messages.map((message) => ({ code: 'not_sending', message }));
}

/** Notes what keeps an account from sending, in words; null: nothing. True when that is new. */
export async function noteSenderFault(
  reader: Reader,
  { passphrase, account }: Place,
  fault: string | null,
): Promise<boolean> {
  const { rowCount } = await reader.query(
    `INSERT INTO pi_senders AS s (passphrase, account, fault) VALUES ($1, $2, $3)
     ON CONFLICT (passphrase, account) DO UPDATE SET fault = excluded.fault
     WHERE s.fault IS DISTINCT FROM excluded.fault`,
    [passphrase, account, fault],
  );
  return rowCount === 1;
}
