import { Agent } from '../../../kit/net/undici.ts';
import { createEndpointPool, type EndpointPool } from '../../endpoint-pool.ts';
import { type EndpointState, noteAnswer, noteSuspicion, noteTooMany } from '../../endpoint-state.ts';
import type { ChainConfig } from '../config/chains.ts';
import { agentOptions } from './post.ts';
import { blocksOf, createRpc, type Rpc, type RpcCall } from './rpc.ts';
import { RpcFault } from './rpc-fault.ts';

/** An endpoint while work is done on it. */
export type Endpoint = {
  name: string;
  /** How many blocks one `eth_getLogs` may ask for now: fewer after it was too much, more after quick answers. */
  span(): number;
  /** The results in the order of the calls. Throws RpcFault. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
};

/** The endpoints of one chain. `use` throws RpcFault. */
export type Endpoints = EndpointPool<Endpoint> & {
  /** Ends every request that is under way; no later one is answered. */
  close(): Promise<void>;
};

export type EndpointsOptions = {
  chain: Pick<ChainConfig, 'id' | 'rpcUrls' | 'blockSeconds'>;
  /** A monotonic clock, in milliseconds. */
  nowMs?: () => number;
  /** For one request that reads many blocks. */
  timeoutMs?: number;
};

/** An endpoint that is further behind the newest block than this is used after the others. */
const tolerableLagSeconds = 10;
/** The same in blocks of a chain. */
export const tolerableLagOf = ({ blockSeconds }: Pick<ChainConfig, 'blockSeconds'>): number =>
  Math.max(2, Math.ceil(tolerableLagSeconds / blockSeconds));

/** The endpoints of a chain, in the order of preference. Nothing is asked until they are used. */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { chain, nowMs = () => performance.now(), timeoutMs = 10_000 } = options;
  const agent = new Agent(agentOptions);
  const pool = createEndpointPool({
    urls: chain.rpcUrls,
    open: (url, state) => measured(createRpc({ agent, timeoutMs, url, name: state.name }), state, nowMs),
    verify: (endpoint) => requireChain(endpoint, chain.id),
    Fault: RpcFault,
    tolerableLag: tolerableLagOf(chain),
    nowMs,
  });
  return { ...pool, close: () => agent.destroy() };
}

/** An endpoint that notes how long its answers took, and how many blocks were too many. */
function measured({ name, batch }: Rpc, state: EndpointState, nowMs: () => number): Endpoint {
  return {
    name,
    span: () => state.span,
    async batch(calls) {
      const blocks = Math.max(0, ...calls.map(blocksOf));
      const startedMs = nowMs();
      try {
        const results = await batch(calls);
        noteAnswer(state, nowMs(), nowMs() - startedMs, blocks);
        return results;
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        const { kind, message } = error;
        if (kind === 'too_much' || kind === 'timeout') noteTooMany(state, nowMs(), blocks);
        // Many endpoints refuse logs, and a scan needs them: the others are preferred.
        if (kind === 'refused' && blocks > 0) noteSuspicion(state, nowMs(), message);
        throw error;
      }
    },
  };
}

async function requireChain(endpoint: Endpoint, chainId: number): Promise<void> {
  const [answer] = await endpoint.batch([{ method: 'eth_chainId', params: [] }]);
  const id = typeof answer === 'string' ? Number.parseInt(answer, 16) : null;
  if (id === chainId) return;
  const found = id === null || Number.isNaN(id) ? 'no chain' : `chain ${id}`;
  throw new RpcFault('wrong_chain', `${endpoint.name}: serves ${found} instead of chain ${chainId}`);
}
