import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoFile } from '../../gateway/src/demo/seed.ts';
import { openDatabase } from '../../gateway/src/kit/db/db.ts';
import { roles } from '../../gateway/src/kit/postgres/postgres-access.ts';
import { createApi } from '../../gateway/test/support/api.ts';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { type GatewayProcess, spawnProgram } from '../../gateway/test/support/gateway-process.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import { root } from '../../scripts/programs.ts';
import type { Around } from '../load/reckon.ts';
import type { Cluster } from './cluster.ts';

export type Gateways = {
  /** It has both servers in its address. */
  hosts: GatewayProcess;
  /** Its address leads to HAProxy. */
  proxy: GatewayProcess;
  around: Around;
  /** Those of these payments that are not there. */
  missing(references: readonly string[]): Promise<string[]>;
};

/** Starts both gateways on a new database, with a receiver of webhooks. */
export async function startGateways(cluster: Cluster, ends: (() => Promise<unknown>)[]): Promise<Gateways> {
  const first = await cluster.primary();
  for (const role of [roles.owner, roles.app]) await first.ask(`CREATE ROLE ${role} LOGIN`);
  await first.ask(`CREATE DATABASE florin OWNER ${roles.owner}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-failover-'));
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const keyFile = join(dataDir, 'shared.key');
  await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const [port] = await freePorts(1);
  const settings = {
    ...{ DATA_DIR: dataDir, MASTER_KEY_FILE: keyFile, BASE_URL: `http://127.0.0.1:${port}` },
    ...{ TRUST_PROXY: '1', RATE_LIMIT: '0', DEMO: '0' },
    DATABASE_URL: cluster.hostsOf(roles.app),
    MIGRATE_DATABASE_URL: cluster.hostsOf(roles.owner),
  };
  const start = async (env: Record<string, string>) => {
    const gateway = await spawnProgram(join(root, 'gateway/start.mjs'), { ...settings, ...env });
    ends.push(
      () => gateway.end('SIGTERM'),
      () => writeFile(join(cluster.home, `gateway-${gateway.child.pid}.log`), gateway.errors()),
    );
    await gateway.ready;
    return gateway;
  };
  const hosts = { ...(await start({ PORT: `${port}`, DEMO: '1' })), url: settings.BASE_URL };
  const proxy = await start({ DATABASE_URL: cluster.proxyOf(roles.app), MIGRATE_DATABASE_URL: '' });

  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  const receiver = await openReceiver();
  ends.push(receiver.close);
  const events = ['payment_completed', 'payment_refunded', 'payout_completed'];
  const api = createApi(hosts.url, demo.secret_key);
  const made = await api('POST', '/webhook-endpoints', { body: { url: receiver.url, events } });
  if (made.status >= 300) throw new Error(made.text);
  const db = openDatabase({ connectionString: settings.MIGRATE_DATABASE_URL }, 2);
  ends.push(() => db.end());
  const around: Around = { url: hosts.url, demo, db, settings, receiver };
  return {
    ...{ hosts, proxy, around },
    async missing(references) {
      const { rows } = await db.query<{ reference: string }>(
        'SELECT unnest($1::text[]) AS reference EXCEPT SELECT reference FROM payments',
        [references],
      );
      return rows.map(({ reference }) => reference);
    },
  };
}
