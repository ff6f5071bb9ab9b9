import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../failover/processes.ts';
import { type BreakableWorld, endLeases } from '../world/start.ts';
import type { Break } from '../world/world.ts';
import { kinds } from './kinds.ts';
import { mostSkewMs } from './processes.ts';

/** Plays a schedule to its end: each break begins and ends in its time. Returns those that this world could have. */
export async function playBreaks(world: BreakableWorld, schedule: readonly Break[]): Promise<Break[]> {
  const begunMs = performance.now();
  const wait = (atMs: number) => sleep(Math.max(0, begunMs + atMs - performance.now()));
  const note = (what: string) => world.log.note('breaks', what);

  async function play(broken: Break): Promise<boolean> {
    const { kind, target, atMs, forMs } = broken;
    const name = `${target}: ${kind}`;
    await wait(atMs);
    try {
      const mend = await kinds.get(kind)?.begin(world, broken);
      if (!mend) {
        note(`${name} is not possible here`);
        return false;
      }
      note(`${name} begins`);
      await wait(atMs + forMs);
      await mend();
      note(`${name} has ended`);
      return true;
    } catch (error) {
      // Another break may be in its way, as a database that is gone.
      note(`${name} failed: ${(error as Error).message}`);
      return false;
    }
  }
  const played = await Promise.all(schedule.map(play));
  return schedule.filter((_, at) => played[at]);
}

const readyMs = 180_000;

/** Puts everything right that a break may have left broken; resolves when all gateways are ready. */
export async function heal(world: BreakableWorld): Promise<void> {
  const { gateways, database, chain, pi, around, receivers, clock } = world;
  for (const relay of [...gateways.flatMap((each) => [each.relay, each.database]), ...relaysOf(world)]) {
    relay.breaks(null);
    relay.join();
  }
  for (const endpoint of chain.endpoints) endpoint.mend();
  for (const { faults } of pi.horizons) faults.clear();
  around.mailbox.refuse(0, 451);
  if (around.backend) around.backend.server.faultOf = () => null;
  receivers.answer(() => 200);
  await database.start();
  await database.db.query('ALTER SYSTEM RESET default_transaction_read_only');
  await database.db.query('SELECT pg_reload_conf()');
  for (const { name } of gateways) await clock.skew(name, 0);
  await Promise.all(
    gateways.map(async (gateway) => {
      if ((await gateway.processes()).length === 0) await gateway.begin();
      await until(`${gateway.name} is ready`, readyMs, async () => (await fetch(`${gateway.url}/ready`)).ok);
    }),
  );
  // What a process that was killed held would keep others waiting for half a minute.
  await endLeases(database);
  // What a gateway that was ahead noted for later is due then.
  await clock.pass(mostSkewMs);
}

function relaysOf({ chain, pi, around, receivers }: BreakableWorld) {
  return [
    ...[...chain.endpoints, ...pi.horizons].map(({ relay }) => relay),
    ...[chain.signer, around.mail, ...around.rates, receivers.relay],
    ...(around.backend ? [around.backend.relay] : []),
  ];
}
