import { Agent } from '../../../kit/net/undici.ts';
import { createEndpointPool, type EndpointPool } from '../../endpoint-pool.ts';
import { type EndpointState, noteAnswer } from '../../endpoint-state.ts';
import { headAt } from './fields.ts';
import { createHorizon, type Horizon, HorizonFault } from './horizon.ts';
import type { PiConfig } from './network.ts';

/** The Horizons of the network, as the configuration names them. `use` throws HorizonFault. */
export type Horizons = EndpointPool<Horizon> & {
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

/** The Horizons in the order of preference. Nothing is asked until they are used. */
export function createHorizons(options: HorizonsOptions): Horizons {
  const { pi, nowMs = () => performance.now(), timeoutMs = 10_000, submitMs = 40_000 } = options;
  const { maxBytes: maxResponseSize = defaultMaxBytes } = options;
  const agent = new Agent({ connections: 16, keepAliveTimeout: 30_000, maxResponseSize });
  const open = (url: string, state: EndpointState): Horizon => {
    const horizon = createHorizon({ agent, timeoutMs, submitMs, url, name: state.name });
    return { ...horizon, get: (path) => timed(state, nowMs, () => horizon.get(path)) };
  };
  const pool = createEndpointPool({
    urls: pi.horizonUrls,
    open,
    verify: async (horizon) => void (await headAt(horizon, pi.passphrase)),
    Fault: HorizonFault,
    tolerableLag,
    nowMs,
  });
  return { ...pool, close: () => agent.destroy() };
}

async function timed<T>(state: EndpointState, nowMs: () => number, ask: () => Promise<T>): Promise<T> {
  const startedMs = nowMs();
  const answer = await ask();
  noteAnswer(state, nowMs(), nowMs() - startedMs, 0);
  return answer;
}
