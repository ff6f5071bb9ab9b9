import { figuresSql } from '../../stamps/sql.ts';
import type { Check } from './context.ts';
import { found } from './finding.ts';

const lateSeconds = 60;
const stoppedSeconds = 900;

/** How long the oldest row of the ledger and the audit log waits for its stamp, and the head of the hash chain. */
export const checkStamps: Check = async ({ db, isMigrated }) => {
  if (!db || !(await isMigrated())) return [];
  const { rows } = await db.query<{ head: number; rows: number; age: number }>(figuresSql);
  const { head = 0, age = 0, rows: waiting = 0 } = rows[0] ?? {};
  const detail = `stamp ${head} is the newest`;
  if (age <= lateSeconds) return [found('stamps', 'ok', detail)];
  const late = `${detail}, ${waiting} rows wait, the oldest for ${Math.round(age)} s`;
  return [found('stamps', age > stoppedSeconds ? 'stopped' : 'late', late)];
};
