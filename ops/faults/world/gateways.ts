import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { roles } from '../../../gateway/src/kit/postgres/postgres-access.ts';
import { freePorts } from '../../../gateway/test/support/free-ports.ts';
import { type GatewayProcess, spawnProgram } from '../../../gateway/test/support/gateway-process.ts';
import { familyOf, signalAll } from '../../failover/processes.ts';
import type { Ends } from '../../stories/tools.ts';
import type { WorldClock } from './clock.ts';
import { noteProcess } from './leftovers.ts';
import type { Log } from './log.ts';
import { openRelay, type Relay } from './relay.ts';
import type { Gateway } from './world.ts';

/** A gateway as a process, with relays before it and before its database. It is started again when it ends. */
export type WorldGateway = Gateway & {
  relay: Relay;
  database: Relay;
  /** The gateway and its workers, as far as they run. */
  processes(): Promise<number[]>;
  /** Ends it at once; it stays away until `start`. */
  kill(): Promise<void>;
  /** Starts it where it was killed; it gets ready when its database lets it. */
  begin(): Promise<void>;
  /** The same; resolves when it is ready. */
  start(): Promise<void>;
  /** How often it ended without having been killed. */
  ended(): number;
};

export type GatewayPlan = {
  name: string;
  /** Tree whose gateway it is. */
  tree: string;
  options: string[];
  settings: Record<string, string>;
  clock: WorldClock;
  /** Path of the socket of the database. */
  socket: string;
  log: Log;
  /** File for what it writes to standard error. */
  logFile: string;
};

const pauseMs = 500;
const shownSigns = 200;
/** On a busy machine the first start, which makes the tables, takes minutes. */
const readyMs = 300_000;

/** Opens the relays of a gateway; `start` starts it. */
export async function openGateway(plan: GatewayPlan, ends: Ends): Promise<WorldGateway> {
  const { name, log, clock } = plan;
  const [port = 0, metricsPort, shopPort] = await freePorts(3);
  const relay = await openRelay(0, port);
  const database = await openRelay(0, plan.socket);
  ends.push(relay.close, database.close);
  const addressOf = (role: string) =>
    `postgresql://${role}@127.0.0.1:${database.port}/florin?sslmode=disable`;
  const env = {
    ...{ PORT: `${port}`, METRICS_PORT: `${metricsPort}`, SHOP_PORT: `${shopPort}` },
    ...{ DATABASE_URL: addressOf(roles.app), MIGRATE_DATABASE_URL: addressOf(roles.owner) },
    ...clock.environmentOf(name),
  };
  const errors = createWriteStream(plan.logFile, { flags: 'a' });
  let running: GatewayProcess | null = null;
  let beginning: Promise<void> | null = null;
  let ended = 0;

  // Who mends a break and who heals all may come at one moment.
  function begin(): Promise<void> {
    beginning ??= spawn().finally(() => {
      beginning = null;
    });
    return beginning;
  }
  async function spawn(): Promise<void> {
    if (running && running.child.exitCode === null && running.child.signalCode === null) return;
    // Some settings name all gateways, and are known once all of these have their relays.
    const all = { ...env, ...plan.settings };
    const began = await spawnProgram(join(plan.tree, 'gateway/start.mjs'), all, plan.options);
    running = began;
    await noteProcess(dirname(plan.logFile), began.child.pid);
    began.child.stderr?.pipe(errors, { end: false });
    void began.exitCode.then((code) => {
      // What is killed here is taken out of `running` first.
      if (running !== began) return;
      ended += 1;
      const said = began.errors().slice(-shownSigns).replaceAll('\n', ' ');
      log.note(name, `ended by itself with ${code ?? began.child.signalCode}: ${said}`);
      void sleep(pauseMs)
        .then(() => (running === began ? begin() : undefined))
        .catch(() => {});
    });
  }
  async function start(): Promise<void> {
    await begin();
    await Promise.race([running?.ready, sleep(readyMs, undefined, { ref: false })]);
  }
  async function processes(): Promise<number[]> {
    return running?.child.pid === undefined ? [] : await familyOf([running.child.pid]);
  }
  async function kill(): Promise<void> {
    await beginning;
    const pids = await processes();
    const killed = running;
    running = null;
    signalAll(pids, 'SIGKILL');
    await killed?.exitCode;
  }
  ends.push(kill);
  return {
    ...{ name, url: `http://127.0.0.1:${relay.port}`, relay, database },
    ...{ processes, kill, begin, start, ended: () => ended },
  };
}
