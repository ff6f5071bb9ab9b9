import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll } from '../../failover/processes.ts';
import type { WorldGateway } from '../world/gateways.ts';
import type { BreakableWorld } from '../world/start.ts';
import type { Target } from '../world/world.ts';
import { type Kind, randomOf } from './kind.ts';

const gateways: readonly Target[] = ['gateway-1', 'gateway-2'];
/** What is done to a process takes it; a process that is gone cannot be stopped. */
const processOf = ({ target }: { target: Target }) => [`process of ${target}`];

export const processKinds: Record<string, Kind> = {
  killed: {
    ...{ targets: gateways, forMs: [50, 1_500], weight: 6, takes: processOf },
    async begin(world, { target }) {
      const gateway = gatewayOf(world, target);
      await gateway.kill();
      return gateway.begin;
    },
  },
  'worker killed': {
    ...{ targets: ['gateway-1'], forMs: [100, 200], weight: 6, takes: processOf },
    fits: ({ gateways: kind }) => kind === 'workers',
    async begin(world, { target, share }) {
      const [, ...workers] = await gatewayOf(world, target).processes();
      if (workers.length === 0) return null;
      signalAll([randomOf({ share }).pick(workers)], 'SIGKILL');
      return () => {};
    },
  },
  'stands still': {
    ...{ targets: [...gateways, 'chain', 'database'], forMs: [300, 2_500], weight: 5, takes: processOf },
    async begin(world, { target }) {
      const pids = await processesOf(world, target);
      signalAll(pids, 'SIGSTOP');
      return () => signalAll(pids, 'SIGCONT');
    },
  },
  'connection killed': {
    ...{ targets: ['database'], forMs: [100, 200], weight: 2, takes: processOf },
    async begin({ database }, { share }) {
      const { rows } = await database.db.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE usename = 'florin_app' AND backend_type = 'client backend' ORDER BY pid",
      );
      if (rows.length === 0) return null;
      // The server ends all connections and recovers.
      signalAll([randomOf({ share }).pick(rows).pid], 'SIGKILL');
      return () => database.start();
    },
  },
  'server killed': {
    ...{ targets: ['database'], forMs: [50, 1_000], weight: 2, takes: processOf },
    async begin({ database }) {
      signalAll(await database.processes(), 'SIGKILL');
      // Else its number may belong to it still when it is started again.
      await sleep(50);
      return () => database.start();
    },
  },
  restarted: {
    ...{ targets: ['database'], forMs: [50, 1_000], weight: 2, takes: processOf },
    async begin({ database }) {
      await database.stop();
      return () => database.start();
    },
  },
  'other clock': {
    ...{ targets: gateways, forMs: [500, 4_000], weight: 5 },
    async begin({ clock }, { target, share }) {
      const skewMs = Math.round((share * 2 - 1) * mostSkewMs);
      await clock.skew(target, skewMs);
      return () => clock.skew(target, 0);
    },
  },
};

/** How far the clock of a gateway may be ahead or behind. */
export const mostSkewMs = 60_000;

function gatewayOf({ gateways: all }: BreakableWorld, target: Target): WorldGateway {
  const found = all.find(({ name }) => name === target);
  if (!found) throw new Error(`This world has no ${target}`);
  return found;
}

async function processesOf(world: BreakableWorld, target: Target): Promise<number[]> {
  if (target === 'chain') return await world.chain.processes();
  if (target === 'database') return await world.database.processes();
  return await gatewayOf(world, target).processes();
}
