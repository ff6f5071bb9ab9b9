import type { EndpointFault, FaultKind } from './endpoint-fault.ts';
import type { EndpointReport } from './health.ts';

/** What is known of one endpoint. Times are milliseconds of a monotonic clock. */
export type EndpointState = {
  name: string;
  latencyMs: number | null;
  lag: { blocks: number; atMs: number } | null;
  /** Why the other endpoints are preferred; null: they are not. */
  suspicion: { message: string; atMs: number } | null;
  fault: { kind: FaultKind; message: string; atMs: number } | null;
  /** Faults since its last success. */
  faults: number;
  restUntilMs: number;
  /** It asked not to be called, so it is not called even when no other endpoint is healthy. */
  mustRest: boolean;
  span: number;
  /** The smallest number of blocks that was too many for one call, and when that was. */
  tooMany: { blocks: number; atMs: number } | null;
};

const firstSpan = 1_000;
const maxSpan = 10_000;
/** A limit that was met is tried again after this long. */
const forgetLimitMs = 10 * 60_000;
/** A lag or doubt counts for this long. */
const forgetMarkMs = 60_000;
const firstRestMs = 500;
const maxRestMs = 60_000;
const maxAskedRestMs = 10 * 60_000;
/** After an answer slower than this the span does not grow: more blocks would end in timeouts. */
const quickMs = 2_000;

export function newEndpointState(name: string): EndpointState {
  return {
    name,
    latencyMs: null,
    lag: null,
    suspicion: null,
    fault: null,
    faults: 0,
    restUntilMs: 0,
    mustRest: false,
    span: firstSpan,
    tooMany: null,
  };
}

/** Notes an answer. `blocks`: how many blocks it read the logs of, 0 for other calls. */
export function noteAnswer(state: EndpointState, nowMs: number, tookMs: number, blocks: number): void {
  state.latencyMs = state.latencyMs === null ? tookMs : state.latencyMs * 0.8 + tookMs * 0.2;
  if (state.tooMany && nowMs - state.tooMany.atMs > forgetLimitMs) state.tooMany = null;
  if (blocks < state.span || tookMs > quickMs) return;
  const limit = state.tooMany ? state.tooMany.blocks - 1 : maxSpan;
  // Halfway to a known limit: doubling would exceed it every other time.
  const grown = state.tooMany ? Math.ceil((state.span + limit) / 2) : state.span * 2;
  state.span = Math.max(1, Math.min(grown, limit, maxSpan));
}

/** Notes that these were too many blocks for one call. */
export function noteTooMany(state: EndpointState, nowMs: number, blocks: number): void {
  if (blocks <= 1) return;
  state.tooMany = { blocks, atMs: nowMs };
  state.span = Math.max(1, Math.min(state.span, Math.floor(blocks / 2)));
}

/** Notes a success, which ends its faults. */
export function noteSuccess(state: EndpointState): void {
  state.fault = null;
  state.faults = 0;
  state.restUntilMs = 0;
  state.mustRest = false;
}

/** Notes a fault. The endpoint rests, longer after each fault in a row, or as long as it asked for. */
export function noteFailure(state: EndpointState, nowMs: number, fault: EndpointFault): void {
  state.fault = { kind: fault.kind, message: withoutName(state, fault.message), atMs: nowMs };
  // These faults do not mean that the endpoint is unhealthy: another call may succeed.
  if (fault.kind === 'refused' || fault.kind === 'too_much') return;
  if (fault.kind === 'behind') {
    state.lag = { blocks: Math.max(1, state.lag?.blocks ?? 1), atMs: nowMs };
    return;
  }
  state.faults += 1;
  const asked = fault.retryAfterMs === undefined ? 0 : Math.min(fault.retryAfterMs, maxAskedRestMs);
  const rest =
    fault.kind === 'wrong_chain'
      ? maxRestMs
      : Math.min(firstRestMs * 2 ** Math.min(state.faults - 1, 10), maxRestMs);
  state.restUntilMs = nowMs + Math.max(rest, asked);
  state.mustRest = asked > 0 || fault.kind === 'wrong_chain';
}

const withoutName = ({ name }: EndpointState, message: string): string => message.replace(`${name}: `, '');

/**
 * Notes a doubt: it disagreed with another endpoint and it is not known which is right, or it refuses a call that is
 * needed.
 */
export function noteSuspicion(state: EndpointState, nowMs: number, message: string): void {
  state.suspicion = { message: withoutName(state, message), atMs: nowMs };
}

function isSuspect({ suspicion }: EndpointState, nowMs: number): boolean {
  return suspicion !== null && nowMs - suspicion.atMs < forgetMarkMs;
}

function isResting(state: EndpointState, nowMs: number): boolean {
  return state.restUntilMs > nowMs;
}

function lagOf(state: EndpointState, nowMs: number): number {
  return state.lag && nowMs - state.lag.atMs < forgetMarkMs ? state.lag.blocks : 0;
}

/** One of several endpoints, as far as the choice between them needs it. */
export type Candidate = { state: EndpointState; triedAtMs: number };

/** While no endpoint is healthy, a resting one is tried again after this long. */
export const impatientMs = 5_000;

/** The endpoints that may be called now, the best first. */
export function candidatesOf<T extends Candidate>(
  members: readonly T[],
  nowMs: number,
  tolerableLag: number,
): T[] {
  const order = (list: T[]) =>
    list
      .map((member) => ({ member, rank: rankOf(member.state, nowMs, tolerableLag) }))
      .sort((one, other) => compare(one.rank, other.rank))
      .map(({ member }) => member);
  const well = members.filter(({ state }) => !isResting(state, nowMs));
  if (well.length > 0) return order(well);
  return order(members.filter(({ state, triedAtMs }) => !state.mustRest && nowMs - triedAtMs >= impatientMs));
}

/** The latest fault of any of them: why none is called. */
export function lastFaultOf(members: readonly Candidate[]): EndpointState['fault'] {
  const faults = members.flatMap(({ state }) => (state.fault ? [state.fault] : []));
  return faults.sort((one, other) => other.atMs - one.atMs)[0] ?? null;
}

/** Lower is better, compared from left to right. Equal ones keep the order of the configuration. */
function rankOf(state: EndpointState, nowMs: number, tolerableLag: number): number[] {
  return [
    isSuspect(state, nowMs) ? 1 : 0,
    lagOf(state, nowMs) > tolerableLag || isBehind(state, nowMs) ? 1 : 0,
    // In powers of two above 50 ms, so that small differences change nothing.
    state.latencyMs === null ? 0 : Math.max(0, Math.round(Math.log2(state.latencyMs / 50))),
  ];
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? value);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether it said within the last seconds that it lacks a block which another one has. */
function isBehind(state: EndpointState, nowMs: number): boolean {
  return state.fault?.kind === 'behind' && nowMs - state.fault.atMs < 5_000;
}

export function reportOf(state: EndpointState, nowMs: number, tolerableLag: number): EndpointReport {
  const rests = isResting(state, nowMs);
  return {
    name: state.name,
    state: stateOf(state, nowMs, tolerableLag),
    fault: state.fault?.message ?? (isSuspect(state, nowMs) ? (state.suspicion?.message ?? null) : null),
    latencyMs: state.latencyMs === null ? null : Math.round(state.latencyMs),
    lagBlocks: state.lag ? lagOf(state, nowMs) : null,
    span: state.span,
    retrySeconds: rests ? Math.ceil((state.restUntilMs - nowMs) / 1000) : null,
  };
}

function stateOf(state: EndpointState, nowMs: number, tolerableLag: number): EndpointReport['state'] {
  if (state.fault?.kind === 'wrong_chain') return 'wrong_chain';
  if (isResting(state, nowMs)) return 'resting';
  if (isSuspect(state, nowMs)) return 'suspect';
  if (lagOf(state, nowMs) > tolerableLag || isBehind(state, nowMs)) return 'behind';
  return state.latencyMs === null ? 'unused' : 'up';
}
