import { type Static, Type } from 'typebox';
import { orNull, pageSchema } from '../kit/http/answers.ts';

const text = Type.String();
const count = Type.Integer();

const EndpointHealth = Type.Object({
  name: text,
  state: Type.Enum(['unused', 'up', 'behind', 'suspect', 'resting', 'wrong_chain']),
  /** The last fault, until a call succeeds again. */
  fault: orNull(text),
  latency_ms: orNull(Type.Number()),
  lag_blocks: orNull(count),
  /** The number of blocks whose logs one request asks for. */
  span: count,
  /** Seconds until it is asked again, while it is not asked. */
  retry_seconds: orNull(Type.Number()),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

/** How far a chain of blocks was read. */
const ScanHealth = Type.Object({
  head: orNull(text),
  final: orNull(text),
  blocks_behind: count,
  /** While it catches up, else null. */
  blocks_per_second: orNull(Type.Number()),
  seconds_left: orNull(Type.Number()),
  /** The part that is done, from 0 to 1. */
  caught_up: orNull(Type.Number()),
  endpoints: Type.Array(EndpointHealth),
});
export type ScanHealth = Static<typeof ScanHealth>;

const RailFault = Type.Object({ code: text, message: text });
export type RailFault = Static<typeof RailFault>;

export const RailHealth = Type.Object({
  rail: text,
  chain: orNull(text),
  last_block: orNull(text),
  lag_seconds: Type.Number(),
  endpoint: orNull(text),
  status: Type.Enum(['up', 'behind', 'down']),
  faults: Type.Array(RailFault),
  /** Null for a rail without blocks. */
  scan: orNull(ScanHealth),
});
export type RailHealth = Static<typeof RailHealth>;
export const RailPage = pageSchema(RailHealth);
