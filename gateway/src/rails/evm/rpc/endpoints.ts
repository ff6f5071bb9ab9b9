import { Agent } from 'undici';
import { endpointName } from '../../endpoint-address.ts';
import {
  type Candidate,
  candidatesOf,
  impatientMs,
  lastFaultOf,
  newEndpointState,
  noteAnswer,
  noteSuspicion,
  noteTooMany,
  noteWell,
  reportOf,
} from '../../endpoint-state.ts';
import { createLags, noteOwnFault, useFirst } from '../../endpoint-use.ts';
import type { EndpointReport } from '../../rail.ts';
import type { ChainConfig } from '../config/chains.ts';
import { agentOptions, blocksOf, createRpc, type Rpc, type RpcCall } from './rpc.ts';
import { RpcFault } from './rpc-fault.ts';

/** An endpoint while work is done on it. */
export type Endpoint = {
  name: string;
  /** How many blocks one `eth_getLogs` may ask for now: fewer after it was too much, more when all is well. */
  span(): number;
  /** The results in the order of the calls. Throws RpcFault. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
};

/** The endpoints of one chain. */
export type Endpoints = {
  size: number;
  /**
   * Does `work` on the best endpoint that is well, and after an RpcFault on the next one. Where fewer blocks
   * would do, it does it again on the same one, whose `span()` is then less. Throws the last fault when none
   * could; what else `work` throws ends it at once. `except`: others than those of
   * these names, if there are any.
   */
  use<T>(
    work: (endpoint: Endpoint) => Promise<T>,
    options?: { except?: readonly string[] },
  ): Promise<{ value: T; endpoint: Endpoint }>;
  /** Tells how far an endpoint is, to find those that lag. */
  noteHead(endpoint: Endpoint, number: bigint): void;
  /** Tells that an endpoint's answer is doubtful: others go before it for a while, and operators see why. */
  noteFault(endpoint: Endpoint, fault: string): void;
  report(): EndpointReport[];
  /** Ends every exchange that is under way, and answers nothing from then on. */
  close(): Promise<void>;
};

export type EndpointsOptions = {
  chain: Pick<ChainConfig, 'id' | 'rpcUrls' | 'blockSeconds'>;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
  /** For one exchange that reads many blocks. */
  timeoutMs?: number;
};

/** An endpoint may be this far behind the furthest before others go before it. */
const tolerableLagSeconds = 10;
/** The same in blocks of a chain. */
export const tolerableLagOf = ({ blockSeconds }: Pick<ChainConfig, 'blockSeconds'>): number =>
  Math.max(2, Math.ceil(tolerableLagSeconds / blockSeconds));

const shrinksAtMost = 16;

type Member = Candidate & { rpc: Rpc; endpoint: Endpoint; isOfChain: boolean };

/** The endpoints of a chain, in the order of preference. Nothing is asked until they are used. */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { chain, nowMs = () => performance.now(), timeoutMs = 10_000 } = options;
  const agent = new Agent(agentOptions);
  const tolerableLag = tolerableLagOf(chain);
  const members = chain.rpcUrls.map((url, at) =>
    join(createRpc({ agent, timeoutMs, url, name: endpointName(url, at) })),
  );
  const noteReached = createLags(members, nowMs);

  function join(rpc: Rpc): Member {
    const state = newEndpointState(rpc.name);
    const endpoint = { name: rpc.name, span: () => state.span, batch };
    async function batch(calls: readonly RpcCall[]): Promise<unknown[]> {
      const blocks = Math.max(0, ...calls.map(blocksOf));
      const startedMs = nowMs();
      try {
        const results = await rpc.batch(calls);
        noteAnswer(state, nowMs(), nowMs() - startedMs, blocks);
        return results;
      } catch (error) {
        const kind = error instanceof RpcFault ? error.kind : null;
        if (kind === 'too_much' || kind === 'timeout') noteTooMany(state, nowMs(), blocks);
        // Many do, and a scan can do nothing without logs: others go before it.
        if (kind === 'refused' && blocks > 0) noteSuspicion(state, nowMs(), (error as RpcFault).message);
        throw error;
      }
    }
    return { rpc, endpoint, state, isOfChain: false, triedAtMs: -impatientMs };
  }

  /** Those that may be asked now, the best first. */
  function candidates(except: readonly string[]): Member[] {
    const others = members.filter(({ endpoint }) => !except.includes(endpoint.name));
    return candidatesOf(others.length > 0 ? others : members, nowMs(), tolerableLag);
  }

  /** An address may lead to another network than it should, by mistake or after a change at the provider. */
  async function requireChain(member: Member): Promise<void> {
    if (member.isOfChain) return;
    const [answer] = await member.endpoint.batch([{ method: 'eth_chainId', params: [] }]);
    const id = typeof answer === 'string' ? Number.parseInt(answer, 16) : null;
    if (id !== chain.id) {
      const found = id === null || Number.isNaN(id) ? 'no chain' : `chain ${id}`;
      throw new RpcFault('wrong_chain', `${member.rpc.name}: serves ${found}, and not chain ${chain.id}`);
    }
    member.isOfChain = true;
  }

  async function workOn<T>(member: Member, work: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    for (let shrinks = 0; ; shrinks += 1) {
      const span = member.state.span;
      member.triedAtMs = nowMs();
      try {
        await requireChain(member);
        const value = await work(member.endpoint);
        noteWell(member.state);
        return value;
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        noteOwnFault(member.state, nowMs(), error);
        if (member.state.restUntilMs > 0) member.isOfChain = false;
        const mayShrink = error.kind === 'too_much' && member.state.span < span;
        if (!mayShrink || shrinks === shrinksAtMost) throw error;
      }
    }
  }

  /** Why nobody is asked: what was wrong last. */
  function restingFault(except: readonly string[]): RpcFault {
    const last = lastFaultOf(members.filter(({ endpoint }) => !except.includes(endpoint.name)));
    return new RpcFault(last?.kind ?? 'unreachable', last?.message ?? 'no endpoint is well');
  }

  return {
    size: members.length,
    async use(work, { except = [] } = {}) {
      const { value, member } = await useFirst(
        candidates(except),
        (error) => error instanceof RpcFault,
        (each) => workOn(each, work),
        () => restingFault(except),
      );
      return { value, endpoint: member.endpoint };
    },
    noteHead: ({ name }, number) => noteReached(name, number),
    noteFault({ name }, fault) {
      const member = members.find(({ endpoint }) => endpoint.name === name);
      if (member) noteSuspicion(member.state, nowMs(), fault);
    },
    report: () => members.map(({ state }) => reportOf(state, nowMs(), tolerableLag)),
    close: () => agent.destroy(),
  };
}
