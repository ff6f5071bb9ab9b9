import type { Database } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

type Settings = {
  version: string;
  number: number;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  connections: number;
  processes: number;
};

const oldestVersion = 150_000;
/** What a process of a gateway may open: its pool and its listener. */
const connectionsOfProcess = 22;
/** For commands, backups and people. */
const spareConnections = 10;

const settingsSql = `
SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections`;

const processesSql = `
SELECT count(*)::int AS processes FROM gateway_processes WHERE seen_at > now() - interval '15 seconds'`;

/** Whether the database answers, keeps what it commits, and has the roles and connections that are needed. */
export const checkDatabase: Check = async ({ db, databaseFault, isMigrated, roleWarning }) => {
  if (!db) {
    return [
      databaseFault === null ? found('database', 'not_yet') : found('database', 'unusable', databaseFault),
    ];
  }
  const isCurrent = await isMigrated();
  const settings = await readSettings(db, isCurrent);
  const findings = judge(settings);
  if (!isCurrent) findings.push(found('database', 'older_tables'));
  const warning = isCurrent ? await roleWarning() : null;
  if (warning !== null) findings.push(found('database', 'rights', warning));
  return findings.length > 0 ? findings : [found('database', 'ok', `PostgreSQL ${settings.version}`)];
};

async function readSettings(db: Database, isCurrent: boolean): Promise<Settings> {
  const settings = oneRow(await db.query<Omit<Settings, 'processes'>>(settingsSql), 'settings');
  if (!isCurrent) return { ...settings, processes: 0 };
  return { ...settings, ...oneRow(await db.query<Pick<Settings, 'processes'>>(processesSql), 'processes') };
}

/** What is wrong with the settings of a server. */
function judge(settings: Settings): Finding[] {
  const { version, number, fsync, full_page_writes, synchronous_commit, connections, processes } = settings;
  const findings: Finding[] = [];
  if (number < oldestVersion) findings.push(found('database', 'old_server', `PostgreSQL ${version}`));
  if (fsync === 'off' || full_page_writes === 'off')
    findings.push(
      found('database', 'not_safe', `fsync is ${fsync}, full_page_writes is ${full_page_writes}`),
    );
  if (synchronous_commit === 'off')
    findings.push(found('database', 'late_commits', 'synchronous_commit is off'));
  const needed = connectionsOfProcess * processes + spareConnections;
  if (connections < needed)
    findings.push(
      found(
        'database',
        'few_connections',
        `${connections} are allowed, ${processes} processes may open ${needed}`,
      ),
    );
  return findings;
}
