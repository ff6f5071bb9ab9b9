// Upgrades two gateways on one database under load, one after the other, and lets the old and the new version serve beside each
// other for a while. In the end nothing was refused, and nothing is lost or there twice.
// node ops/stories/rolling.ts [--minutes 60] [--per-second 20] [--from COMMIT] [--without-prices]
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { DemoFile } from '../../gateway/src/demo/seed.ts';
import { openDatabase } from '../../gateway/src/kit/db/db.ts';
import { startEmbedded } from '../../gateway/src/kit/postgres/embedded-postgres.ts';
import { roles } from '../../gateway/src/kit/postgres/postgres-access.ts';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { createApi } from '../../gateway/test/support/api.ts';
import { removeDataDir } from '../../gateway/test/support/data-dir.ts';
import { type GatewayProcess, spawnProgram } from '../../gateway/test/support/gateway-process.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import { root } from '../../scripts/programs.ts';
import { type Around, type Reckoned, reckon } from '../load/reckon.ts';
import { openLoad, openShop, type Shop } from '../load/shop.ts';
import { openTally, type Tally } from '../load/tally.ts';
import { type Balancer, openBalancer } from './rolling/balancer.ts';
import { checkOut } from './rolling/older.ts';
import { type Ends, type Say, undo } from './tools.ts';

export type RollingOptions = {
  /** How long the old and the new version serve beside each other. */
  minutes?: number;
  /** About how many requests are sent each second. */
  perSecond?: number;
  /** The commit of the old version: by default one that prepares its statements again after a column was added. */
  from?: string;
  /** False: no payment has a price, since the old version knows none. */
  prices?: boolean;
};

/** Before and after the upgrade, with both gateways of one version. */
const aloneMs = 10_000;
const tellMs = 5 * 60_000;

/** Plays the whole story. Throws where something was refused, is lost or is there twice. */
export async function playRolling(
  say: Say,
  { minutes = 1, perSecond = 20, from = 'a2bcaa50', prices = true }: RollingOptions = {},
): Promise<void> {
  const ends: Ends = [];
  try {
    const older = await checkOut(from);
    ends.push(older.remove);
    const place = await prepare(ends);
    const start = async (tree: string, env: Record<string, string> = {}) => {
      const program = join(tree, 'gateway/start.mjs');
      const gateway = await spawnProgram(program, { ...place.settings, MIGRATE_DATABASE_URL: '', ...env });
      ends.push(() => gateway.end('SIGTERM'));
      await gateway.ready;
      return gateway;
    };
    const { MIGRATE_DATABASE_URL = '' } = place.settings;
    const first = await start(older.tree, { MIGRATE_DATABASE_URL, DEMO: '1' });
    const second = await start(older.tree);
    for (const { url } of [first, second]) place.balancer.add(url);
    say(`two gateways of ${from} serve`);

    const around = await openAround(place, ends);
    const tally = openTally();
    const shop = openShop([place.balancer.url], around.demo, { tally, prices });
    tally.begin('old and old');
    const load = openLoad(shop, perSecond);
    ends.push(load.stop);
    await sleep(aloneMs);

    tally.begin('old and old, while the new version migrates');
    say(await migrate(place.settings));
    await sleep(aloneMs);
    tally.begin('one is replaced');
    const third = await replace(place.balancer, first, () => start(root));
    tally.begin(`old and new, for ${minutes} minutes`);
    say('the first gateway is replaced');
    const telling = setInterval(() => say(tally.lines().at(-1) ?? ''), tellMs);
    await sleep(minutes * 60_000).finally(() => clearInterval(telling));
    tally.begin('the other is replaced');
    const fourth = await replace(place.balancer, second, () => start(root));
    tally.begin('new and new');
    say('the second gateway is replaced');
    await sleep(aloneMs);
    await load.stop();
    const reckoned = await reckon(shop.ordered, around);
    tell(say, { tally, shop, reckoned, balancer: place.balancer });
    for (const gateway of [first, second, third, fourth]) tellFaults(say, gateway);
    assertWhole(tally, reckoned);
  } finally {
    await undo(ends);
  }
}

type Place = { settings: Record<string, string>; dataDir: string; balancer: Balancer };

/** A database server, the settings that all gateways share, and the balancer in front of them. */
async function prepare(ends: Ends): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-rolling-'));
  ends.push(() => removeDataDir(dataDir));
  const server = await startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '200' } });
  ends.push(server.stop);
  const { host = '', port } = server.connection;
  const urlOf = (role: string) =>
    `postgresql:///florin?user=${role}&host=${encodeURIComponent(host)}&port=${port}`;
  const keyFile = join(dataDir, 'shared.key');
  await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const balancer = await openBalancer();
  ends.push(balancer.close);
  const settings = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'florin-rolling-')),
    DATABASE_URL: urlOf(roles.app),
    MIGRATE_DATABASE_URL: urlOf(roles.owner),
    MASTER_KEY_FILE: keyFile,
    BASE_URL: balancer.url,
    ...{ TRUST_PROXY: '1', RATE_LIMIT: '0', DEMO: '0' },
  };
  ends.push(() => rm(settings.DATA_DIR, { recursive: true, force: true }));
  return { settings, dataDir, balancer };
}

/** What the merchant has beside its gateways: a receiver of webhooks, and the keys. */
async function openAround({ settings, balancer }: Place, ends: Ends): Promise<Around> {
  const demo = JSON.parse(await readFile(join(settings.DATA_DIR ?? '', 'demo.json'), 'utf8')) as DemoFile;
  const api = createApi(balancer.url, demo.secret_key);
  const receiver = await openReceiver();
  ends.push(receiver.close);
  const events = ['payment_completed', 'payment_refunded', 'payout_completed'];
  const made = await api('POST', '/webhook-endpoints', { body: { url: receiver.url, events } });
  // The demo shop ends with the gateway that began it.
  const removed = await api('DELETE', `/webhook-endpoints/${demo.webhook_endpoint_id}`);
  for (const { status, text } of [made, removed]) if (status >= 300) throw new Error(text);
  const db = openDatabase({ connectionString: settings.MIGRATE_DATABASE_URL }, 2);
  ends.push(() => db.end());
  return { url: balancer.url, demo, db, settings, receiver };
}

async function migrate(settings: Record<string, string>): Promise<string> {
  const begunMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'cli/src/main.ts'), 'migrate'], {
    env: { ...childEnvironment, ...settings },
  });
  const applied = stdout.split('\n').filter((line) => line.endsWith(' is applied')).length;
  return `florin migrate has applied ${applied} migrations in ${((performance.now() - begunMs) / 1000).toFixed(1)} s`;
}

/** As docs/upgrades.md says: the new one first, then the old one out of the balancer, and then its end. */
async function replace(
  balancer: Balancer,
  old: GatewayProcess,
  start: () => Promise<GatewayProcess>,
): Promise<GatewayProcess> {
  const next = await start();
  balancer.add(next.url);
  await balancer.drain(old.url);
  const code = await old.end('SIGTERM');
  if (code !== 0) throw new Error(`The old gateway ended with ${code}:\n${old.errors()}`);
  return next;
}

type Told = { tally: Tally; shop: Shop; reckoned: Reckoned; balancer: Balancer };

function tell(say: Say, { tally, shop, reckoned, balancer }: Told): void {
  for (const line of tally.lines()) say(line);
  const { payments, refunds, payouts, fundings, pages, reopened } = shop.ordered;
  const { twice, again } = shop.client.counts;
  say(
    `${payments.length} payments, ${refunds.length} refunds, ${payouts.length} payouts, ${fundings} fundings; ` +
      `${twice} of the calls were sent twice at once with one key, ${again} calls once more`,
  );
  say(`${pages} pages were followed to their end; ${reopened} streams connected again`);
  say(
    `${reckoned.webhooks}; ${balancer.sentElsewhere()} requests found nothing that listens and went elsewhere`,
  );
}

/** What a gateway logged as an error: a loop that tries again is no fault of an upgrade, and may say why one was slow. */
function tellFaults(say: Say, { url, errors }: GatewayProcess): void {
  const found = errors().match(/^.*"level":[56]0.*$/gm) ?? [];
  for (const [line, each] of Map.groupBy(
    found,
    (text) => /"message":"[^"]*"|"msg":"[^"]*"/.exec(text)?.[0] ?? text,
  ))
    say(`${url} logged ${each.length} times ${line}, first ${each[0]?.slice(0, 300)}`);
}

function assertWhole(tally: Tally, { lost, doubled, books }: Reckoned): void {
  const found = { refused: tally.refused, wrong: tally.wrongs, lost, doubled, books };
  const faults = Object.entries(found).filter(([, list]) => list.length > 0);
  if (faults.length === 0) return;
  const lines = faults.map(([name, list]) => `${list.length} ${name}:\n  ${list.slice(0, 10).join('\n  ')}`);
  throw new Error(`Of ${tally.requests()} requests:\n${lines.join('\n')}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      'per-second': { type: 'string', default: '20' },
      from: { type: 'string' },
      'without-prices': { type: 'boolean', default: false },
    },
  });
  await playRolling((line) => console.log(new Date().toISOString(), line), {
    minutes: Number(values.minutes),
    perSecond: Number(values['per-second']),
    prices: !values['without-prices'],
    ...(values.from && { from: values.from }),
  });
}
