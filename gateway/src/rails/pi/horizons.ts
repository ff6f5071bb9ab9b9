import { Agent } from 'undici';
import { smallNumber } from '../../kit/small-number.ts';
import { endpointName } from '../endpoint-address.ts';
import {
  type Candidate,
  candidatesOf,
  impatientMs,
  lastFaultOf,
  newEndpointState,
  noteAnswer,
  noteFailure,
  noteWell,
  reportOf,
} from '../endpoint-state.ts';
import type { EndpointReport } from '../rail.ts';
import { standingAt } from './answers.ts';
import { createHorizon, type Horizon, HorizonFault } from './horizon.ts';
import type { PiConfig } from './network.ts';

/** The Horizons of the network, as the configuration names them. */
export type Horizons = {
  size: number;
  /**
   * Does `work` on the best Horizon that is well and serves the configured network; after a HorizonFault on the next
   * one. Throws the last fault when none could; what else `work` throws ends it at once.
   */
  use<T>(work: (horizon: Horizon) => Promise<T>): Promise<{ value: T; horizon: Horizon }>;
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
/** What one told of its ledger counts for this long. */
const ledgerMs = 60_000;

type Member = Candidate & { horizon: Horizon; isOfNetwork: boolean };

/** The Horizons in the order of preference. Nothing is asked until they are used. */
export function createHorizons(options: HorizonsOptions): Horizons {
  const { pi, nowMs = () => performance.now(), timeoutMs = 10_000, submitMs = 40_000 } = options;
  const { maxBytes: maxResponseSize = defaultMaxBytes } = options;
  const agent = new Agent({ connections: 16, keepAliveTimeout: 30_000, maxResponseSize });
  const members = pi.horizonUrls.map((url, at) =>
    join(createHorizon({ agent, timeoutMs, submitMs, url, name: endpointName(url, at) })),
  );
  const ledgers = new Map<string, { ledger: bigint; atMs: number }>();

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
      // What the work itself finds wrong with an answer does not say whose it was.
      const { name } = member.horizon;
      if (!error.message.startsWith(name)) error.message = `${name}: ${error.message}`;
      noteFailure(member.state, nowMs(), error);
      if (member.state.restUntilMs > 0) member.isOfNetwork = false;
      throw error;
    }
  }

  return {
    size: members.length,
    async use(work) {
      let last: HorizonFault | undefined;
      for (const member of candidatesOf(members, nowMs(), tolerableLag)) {
        try {
          return { value: await workOn(member, work), horizon: member.horizon };
        } catch (error) {
          if (!(error instanceof HorizonFault)) throw error;
          last = error;
        }
      }
      if (last) throw last;
      const fault = lastFaultOf(members);
      throw new HorizonFault(fault?.kind ?? 'unreachable', fault?.message ?? 'no Horizon is well');
    },
    noteLedger({ name }, ledger) {
      const atMs = nowMs();
      ledgers.set(name, { ledger, atMs });
      const recent = [...ledgers.values()].filter((each) => atMs - each.atMs < ledgerMs);
      const furthest = recent.reduce((most, each) => (each.ledger > most ? each.ledger : most), 0n);
      const state = members.find(({ horizon }) => horizon.name === name)?.state;
      if (state) state.lag = { blocks: smallNumber(furthest - ledger), atMs };
    },
    report: () => members.map(({ state }) => reportOf(state, nowMs(), tolerableLag)),
    close: () => agent.destroy(),
  };
}
