import { oneRow } from '../../../kit/db/one-row.ts';
import { askingClient, breakOff } from '../../../kit/db/primary.ts';
import { serversOf } from '../../../kit/db/servers.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const answerMs = 4_000;

type Place = { system: string; lsn: string };
type Seen = Place & { follows: boolean; feedback: string; seconds: number };

const system = '(SELECT system_identifier::text FROM pg_control_system()) AS system';
const primarySql = `SELECT ${system}, pg_current_wal_flush_lsn()::text AS lsn`;
/** `seconds`: since the last commit that it has replayed was made, if it has not replayed up to $1. */
const standbySql = `SELECT ${system}, pg_is_in_recovery() AS follows, current_setting('hot_standby_feedback') AS feedback,
  CASE WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 0
    ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds`;

/** Whether standbys follow the database, closely enough to serve lists. */
export const checkStandby: Check = async ({ config, db }) => {
  if (!config.standby) return [found('standby', 'none')];
  if (!db) return [found('standby', 'no_database')];
  const { url, maxAgeSeconds } = config.standby;
  const primary = oneRow(await db.query<Place>(primarySql), 'place in the log');
  const hosts = serversOf(url, 'standby');
  return (await Promise.all(hosts.map((each) => lookAt(each, primary, maxAgeSeconds)))).flat();
};

async function lookAt(url: string, primary: Place, maxAgeSeconds: number): Promise<Finding[]> {
  const client = askingClient(url, answerMs, 'florin doctor');
  const name = `${client.host}:${client.port}`;
  try {
    await client.connect();
    const seen = oneRow(await client.query<Seen>(standbySql, [primary.lsn]), 'state of a standby');
    return judgeStandby(name, seen, { system: primary.system, maxAgeSeconds });
  } catch {
    return [found('standby', 'away', name)];
  } finally {
    breakOff(client, 'Connection terminated: the doctor has looked');
  }
}

/** What is wrong with a standby of this database. */
export function judgeStandby(
  name: string,
  { system: own, follows, feedback, seconds }: Omit<Seen, 'lsn'>,
  wanted: { system: string; maxAgeSeconds: number },
): Finding[] {
  if (own !== wanted.system) return [found('standby', 'other', name)];
  if (!follows) return [found('standby', 'takes_writes', name)];
  const detail = `${name} is ${Math.round(seconds)} s behind`;
  if (seconds > wanted.maxAgeSeconds) return [found('standby', 'behind', detail)];
  return [found('standby', feedback === 'on' ? 'ok' : 'no_feedback', detail)];
}
