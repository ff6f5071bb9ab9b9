import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { Place } from './order.ts';

/** Another process took over: what this one was about to send is not sent. */
export class LaneLost extends Error {
  constructor() {
    super('the lane was taken over by another process');
    this.name = 'LaneLost';
  }
}

/** Long enough for one step, of which submitting is the longest; others take over that long after a crash. */
const holdSeconds = 120;

/** Takes an account's lane, or holds it for longer; false while another process has it. By the database's clock. */
export async function takeLane(
  reader: Reader,
  { passphrase, account }: Place,
  holder: string,
): Promise<boolean> {
  const { rowCount } = await reader.query(
    `INSERT INTO pi_lanes (passphrase, account, holder, held_until)
     VALUES ($1, $2, $3, now() + $4 * interval '1 second')
     ON CONFLICT (passphrase, account) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE pi_lanes.holder = excluded.holder OR pi_lanes.held_until <= now()`,
    [passphrase, account, holder, holdSeconds],
  );
  return rowCount === 1;
}

export async function leaveLane(
  reader: Reader,
  { passphrase, account }: Place,
  holder: string,
): Promise<void> {
  await reader.query(
    'UPDATE pi_lanes SET held_until = now() WHERE passphrase = $1 AND account = $2 AND holder = $3',
    [passphrase, account, holder],
  );
}

/** Throws LaneLost unless the lane is this holder's until the transaction ends. */
export async function holdLane(tx: Tx, { passphrase, account }: Place, holder: string): Promise<void> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM pi_lanes WHERE passphrase = $1 AND account = $2 AND holder = $3 AND held_until > now()
     FOR UPDATE`,
    [passphrase, account, holder],
  );
  if (rowCount !== 1) throw new LaneLost();
}

/** Notes what keeps the lane from sending, in words; null: nothing. True when that is new. */
export async function noteLaneFault(
  reader: Reader,
  { passphrase, account }: Place,
  fault: string | null,
): Promise<boolean> {
  const { rowCount } = await reader.query(
    `UPDATE pi_lanes SET fault = $3 WHERE passphrase = $1 AND account = $2 AND fault IS DISTINCT FROM $3`,
    [passphrase, account, fault],
  );
  return rowCount === 1;
}
