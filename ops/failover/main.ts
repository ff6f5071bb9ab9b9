// Fails over again and again under load: two PostgreSQL under Patroni, of which the primary is killed, stopped, cut off or has a
// full disk in turn, and two gateways, one with both servers in its address and one behind HAProxy. In the end nothing that was
// answered is lost or there twice, no answer was a 500, and both served again soon after another server took writes.
// npm run failover -- [--failovers 4] [--per-second 10] [--only killed] [--keep]

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { reckon } from '../load/reckon.ts';
import { openLoad, openShop } from '../load/shop.ts';
import { openTally } from '../load/tally.ts';
import { type Cluster, startCluster, takesWrites } from './cluster.ts';
import { type Fault, faults, lastsMs } from './faults.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { openProbe, type Probe } from './probe.ts';
import { until } from './processes.ts';
import { type Failover, faultsOf, tableOf } from './table.ts';

type Options = { failovers: number; perSecond: number; only?: string | undefined; keep: boolean };

const calmMs = 5_000;
const failoverMs = 240_000;
const askMs = 50;
const mostMs = 60_000;

async function play(
  say: (line: string) => void,
  { failovers, perSecond, only, keep }: Options,
): Promise<void> {
  const ends: (() => Promise<unknown>)[] = [];
  async function endAll(): Promise<void> {
    for (let end = ends.pop(); end; end = ends.pop())
      await end().catch((error: Error) => say(`at the end: ${error.message}`));
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endAll().finally(() => process.exit(1)));
  try {
    const cluster = await startCluster(ends, keep);
    say('two servers, one of which takes writes and the other confirms each commit');
    const gateways = await startGateways(cluster, ends);
    say('two gateways serve');
    const { around } = gateways;
    const urls = [gateways.hosts.url, gateways.proxy.url];
    const tally = openTally();
    tally.begin('failovers');
    const shop = openShop(urls, around.demo, { tally, prices: false, isPatient: true });
    const load = openLoad(shop, perSecond);
    const probes = urls.map((url, n) => openProbe(['HOSTS', 'PROXY'][n] ?? '', url, around.demo.secret_key));
    const chosen = faults.filter(({ name }) => only === undefined || name === only);

    const done: Failover[] = [];
    for (let n = 0; n < failovers; n++) {
      const fault = chosen[n % chosen.length];
      if (!fault)
        throw new Error(`There is no fault ${only}; there are ${faults.map(({ name }) => name).join(', ')}`);
      await sleep(calmMs);
      done.push(await failOver(cluster, fault, probes));
      say(tableOf(done.slice(-1)).at(-1) ?? '');
      tellGateways(say, gateways);
    }
    await sleep(calmMs);
    for (const probe of probes) await probe.stop();
    await load.stop();
    say('the load has ended');
    const reckoned = await reckon(shop.ordered, around);
    const lost = await gateways.missing(probes.flatMap(({ answered }) => answered));
    for (const line of [...tableOf(done), ...tally.lines()]) say(line);
    const { payments, refunds, payouts, fundings, pages, reopened } = shop.ordered;
    say(
      `${payments.length} payments, ${refunds.length} refunds, ${payouts.length} payouts, ${fundings} fundings, ${reckoned.webhooks}; ` +
        `${shop.client.counts.again} calls once more; ${pages} pages were followed, ${reopened} streams connected again`,
    );
    for (const [n, { statuses }] of probes.entries())
      say(`${urls[n]}: ${JSON.stringify(Object.fromEntries(statuses))}`);
    const found = faultsOf({ done, tally, probes, reckoned, lost });
    if (found.length > 0) throw new Error(found.join('\n'));
    say('nothing is lost, nothing is there twice, and no answer was a 500');
  } finally {
    await endAll();
  }
}

/** Strikes the primary, measures how soon each gateway serves again, and puts the server right. */
async function failOver(cluster: Cluster, fault: Fault, probes: readonly Probe[]): Promise<Failover> {
  await cluster.whole();
  const before = await cluster.primary();
  const after = cluster.nodes.find((node) => node !== before);
  if (!after) throw new Error('There is no other server');
  const struckMs = performance.now();
  const mend = await fault.strike(before);
  await until(`another server takes writes after ${fault.name}`, failoverMs, () => takesWrites(after), askMs);
  const tookMs = performance.now() - struckMs;
  const sinceMs = performance.now();
  const first = (probe: Probe) => probe.firstAfter(sinceMs);
  await until(
    'both gateways serve',
    mostMs,
    async () => probes.every((probe) => first(probe) !== undefined),
    askMs,
  ).catch(() => {});
  const served = probes.map((probe) => first(probe) ?? Number.POSITIVE_INFINITY);
  const gaps = probes.map((probe) => probe.longestGapSince(struckMs));
  await sleep(Math.max(0, lastsMs - (performance.now() - struckMs)));
  await mend();
  await cluster.whole();
  if ((await cluster.primary()) !== after)
    throw new Error(`${before.name} became the primary again by itself`);
  return {
    fault: fault.name,
    from: before.name,
    tookMs,
    served,
    gaps,
    wholeMs: performance.now() - struckMs,
  };
}

function tellGateways(say: (line: string) => void, { hosts, proxy }: Gateways): void {
  for (const gateway of [hosts, proxy])
    if (gateway.child.exitCode !== null)
      say(`${gateway.url} has ended with ${gateway.child.exitCode}: ${gateway.errors().slice(-2000)}`);
}

const { values } = parseArgs({
  options: {
    failovers: { type: 'string', default: '4' },
    'per-second': { type: 'string', default: '10' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const say = (line: string) => console.log(new Date().toISOString(), line);
await play(say, {
  failovers: Number(values.failovers),
  perSecond: Number(values['per-second']),
  only: values.only,
  keep: values.keep,
}).catch((error: Error) => {
  say(error.message);
  // The shop is patient, and would go on.
  process.exit(1);
});
