import { smallNumber } from '../money/small-number.ts';
import { endpointName } from './endpoint-address.ts';
import type { EndpointFault, FaultKind } from './endpoint-fault.ts';
import {
  type Candidate,
  candidatesOf,
  type EndpointState,
  impatientMs,
  lastFaultOf,
  newEndpointState,
  noteFailure,
  noteSuccess,
  noteSuspicion,
  reportOf,
} from './endpoint-state.ts';
import type { EndpointReport } from './health.ts';

/** Several endpoints of one network. The best one that is healthy is used. */
export type EndpointPool<E> = {
  size: number;
  /**
   * Calls `work` with the best healthy endpoint, and after a fault with the next one. After a fault `too_much` that
   * lowered the endpoint's span the same endpoint is used again. Throws the last fault when every endpoint failed;
   * any other error of `work` ends it at once. `except`: names of endpoints that are used only where there is no
   * other. `skip`: how many of the best are used only after all others.
   */
  use<T>(
    work: (endpoint: E) => Promise<T>,
    options?: { except?: readonly string[]; skip?: number },
  ): Promise<{ value: T; endpoint: E }>;
  /** Notes the newest block or ledger that an endpoint knows, to find those that lag. */
  noteReached(endpoint: { name: string }, reached: bigint): void;
  /** Notes that an endpoint's answer is doubtful: the others are preferred for a while, and operators see why. */
  noteDoubt(endpoint: { name: string }, why: string): void;
  report(): EndpointReport[];
};

export type PoolOptions<E, F extends EndpointFault> = {
  /** In the order of preference. */
  urls: readonly string[];
  /** Makes an endpoint, which notes its answers in its state. Asks nothing. */
  open: (url: string, state: EndpointState) => E;
  /** Throws a fault if an endpoint serves another network. */
  verify: (endpoint: E) => Promise<void>;
  /** The class of an endpoint's faults. */
  Fault: new (
    kind: FaultKind,
    message: string,
  ) => F;
  /** An endpoint that is further behind the newest block than this is used after the others. */
  tolerableLag: number;
  /** A monotonic clock, in milliseconds. */
  nowMs: () => number;
};

type Member<E> = Candidate & { endpoint: E; isVerified: boolean };

const shrinksAtMost = 16;

/** Makes a pool. It asks nothing until it is used. */
export function createEndpointPool<E extends { name: string }, F extends EndpointFault>(
  options: PoolOptions<E, F>,
): EndpointPool<E> {
  const { urls, open, verify, Fault, tolerableLag, nowMs } = options;
  const members = urls.map((url, at): Member<E> => {
    const state = newEndpointState(endpointName(url, at));
    return { endpoint: open(url, state), state, isVerified: false, triedAtMs: -impatientMs };
  });
  const noteLag = createLags(members, nowMs);

  const without = (names: readonly string[]): Member<E>[] =>
    members.filter(({ endpoint }) => !names.includes(endpoint.name));

  async function workOn<T>(member: Member<E>, work: (endpoint: E) => Promise<T>): Promise<T> {
    const { state, endpoint } = member;
    for (let shrinks = 0; ; shrinks += 1) {
      const { span } = state;
      member.triedAtMs = nowMs();
      try {
        // An address may lead to another network, by mistake or after a change at the provider.
        if (!member.isVerified) await verify(endpoint);
        member.isVerified = true;
        const value = await work(endpoint);
        noteSuccess(state);
        return value;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        noteFailure(state, nowMs(), named(error, state));
        if (state.restUntilMs > 0) member.isVerified = false;
        const mayShrink = error.kind === 'too_much' && state.span < span;
        if (!mayShrink || shrinks === shrinksAtMost) throw error;
      }
    }
  }

  return {
    size: members.length,
    async use(work, { except = [], skip = 0 } = {}) {
      const others = without(except);
      const candidates = candidatesOf(others.length > 0 ? others : members, nowMs(), tolerableLag);
      let fault: F | null = null;
      for (const member of rotated(candidates, skip)) {
        try {
          return { value: await workOn(member, work), endpoint: member.endpoint };
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          fault = error;
        }
      }
      const last = lastFaultOf(others);
      throw fault ?? new Fault(last?.kind ?? 'unreachable', last?.message ?? 'no endpoint is healthy');
    },
    noteReached: ({ name }, reached) => noteLag(name, reached),
    noteDoubt({ name }, why) {
      const member = members.find(({ endpoint }) => endpoint.name === name);
      if (member) noteSuspicion(member.state, nowMs(), why);
    },
    report: () => members.map(({ state }) => reportOf(state, nowMs(), tolerableLag)),
  };
}

/** The fault with the endpoint's name in its message: a fault that `work` found lacks it. */
function named<F extends EndpointFault>(fault: F, { name }: EndpointState): F {
  if (!fault.message.startsWith(name)) fault.message = `${name}: ${fault.message}`;
  return fault;
}

/** The list from its `by`-th item on, and then the items before it. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const from = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}

/** How long a newest block that an endpoint named counts. */
const reachedMs = 60_000;

/**
 * Returns a function that notes the newest block that an endpoint knows, by its name, and how far that is behind the
 * furthest one.
 */
function createLags(members: readonly Candidate[], nowMs: () => number) {
  const latest = new Map<string, { reached: bigint; atMs: number }>();
  return (name: string, reached: bigint): void => {
    const atMs = nowMs();
    latest.set(name, { reached, atMs });
    // Old numbers are dropped: one that was wrong would put the other endpoints behind for ever.
    const recent = [...latest.values()].filter((each) => atMs - each.atMs < reachedMs);
    const furthest = recent.reduce((most, each) => (each.reached > most ? each.reached : most), 0n);
    const member = members.find(({ state }) => state.name === name);
    if (member) member.state.lag = { blocks: smallNumber(furthest - reached), atMs };
  };
}
