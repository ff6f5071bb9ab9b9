import { Agent } from 'undici';
import { endpointName } from '../../endpoint-address.ts';
import {
  type Candidate,
  candidatesOf,
  impatientMs,
  lastFaultOf,
  newEndpointState,
  noteAnswer,
  noteWell,
  reportOf,
} from '../../endpoint-state.ts';
import { createLags, noteOwnFault, useFirst } from '../../endpoint-use.ts';
import type { EndpointReport } from '../../rail.ts';
import { standingAt } from './answers.ts';
import { createHorizon, type Horizon, HorizonFault } from './horizon.ts';
import type { PiConfig } from './network.ts';

/** The Horizons of the network, as the configuration names them. */
export type Horizons = {
  size: number;
  /**
   * Does `work` on the best Horizon that is well and serves the configured network; after a HorizonFault on the next
   * one. `skip`: so many of the best have their turn after all others. Throws the last fault when none could; what
   * else `work` throws ends it at once.
   */
  use<T>(work: (horizon: Horizon) => Promise<T>, skip?: number): Promise<{ value: T; horizon: Horizon }>;
  /** Tells how far one is, to find those that lag. */
  noteLedger(horizon: Horizon, ledger: bigint): void;
  report(): EndpointReport[];
  /** Ends every exchange that is under way, and answers nothing from then on. */
  close(): Promise<void>;
};

export type HorizonsOptions = {
  pi: Pick<PiConfig, 'horizonUrls' | 'passphrase'>;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
  timeoutMs?: number;
  submitMs?: number;
  /** Longer answers fail. */
  maxBytes?: number;
};

const defaultMaxBytes = 32 * 1024 * 1024;
/** Ledgers close about every five seconds. */
const tolerableLag = 4;

type Member = Candidate & { horizon: Horizon; isOfNetwork: boolean };

/** The Horizons in the order of preference. Nothing is asked until they are used. */
export function createHorizons(options: HorizonsOptions): Horizons {
  const { pi, nowMs = () => performance.now(), timeoutMs = 10_000, submitMs = 40_000 } = options;
  const { maxBytes: maxResponseSize = defaultMaxBytes } = options;
  const agent = new Agent({ connections: 16, keepAliveTimeout: 30_000, maxResponseSize });
  const members = pi.horizonUrls.map((url, at) =>
    join(createHorizon({ agent, timeoutMs, submitMs, url, name: endpointName(url, at) })),
  );
  const noteReached = createLags(members, nowMs);

  function join(horizon: Horizon): Member {
    const state = newEndpointState(horizon.name);
    async function timed<T>(exchange: () => Promise<T>): Promise<T> {
      const startedMs = nowMs();
      const answer = await exchange();
      noteAnswer(state, nowMs(), nowMs() - startedMs, 0);
      return answer;
    }
    const measured = { ...horizon, get: (path: string) => timed(() => horizon.get(path)) };
    return { horizon: measured, state, isOfNetwork: false, triedAtMs: -impatientMs };
  }

  /** An address may lead to another network than it should, by mistake or after a change behind it. */
  async function requireNetwork(member: Member): Promise<void> {
    if (member.isOfNetwork) return;
    await standingAt(member.horizon, pi.passphrase);
    member.isOfNetwork = true;
  }

  async function workOn<T>(member: Member, work: (horizon: Horizon) => Promise<T>): Promise<T> {
    member.triedAtMs = nowMs();
    try {
      await requireNetwork(member);
      const value = await work(member.horizon);
      noteWell(member.state);
      return value;
    } catch (error) {
      if (!(error instanceof HorizonFault)) throw error;
      noteOwnFault(member.state, nowMs(), error);
      if (member.state.restUntilMs > 0) member.isOfNetwork = false;
      throw error;
    }
  }

  /** Why nobody is asked: what was wrong last. */
  function restingFault(): HorizonFault {
    const last = lastFaultOf(members);
    return new HorizonFault(last?.kind ?? 'unreachable', last?.message ?? 'no Horizon is well');
  }

  return {
    size: members.length,
    async use(work, skip = 0) {
      const { value, member } = await useFirst(
        rotated(candidatesOf(members, nowMs(), tolerableLag), skip),
        (error) => error instanceof HorizonFault,
        (each) => workOn(each, work),
        restingFault,
      );
      return { value, horizon: member.horizon };
    },
    noteLedger: ({ name }, ledger) => noteReached(name, ledger),
    report: () => members.map(({ state }) => reportOf(state, nowMs(), tolerableLag)),
    close: () => agent.destroy(),
  };
}

/** The list from its `by`-th on, and then the others. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const from = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}
