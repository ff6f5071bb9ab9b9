import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';

// Answers of the dashboard's calls on API keys and on the request log.

const text = Type.String();
const flag = Type.Boolean();

export const Key = Type.Object({
  id: Id,
  kind: Type.Enum(['signing', 'restricted']),
  name: orNull(text),
  /** `sk_test_…abcd` */
  hint: text,
  /** Webhooks are signed with it at this moment. */
  signing: flag,
  /** Null: all calls but those that a key must name. */
  actions: orNull(Type.Array(text)),
  /** Of these the calls that it may not make now, since whoever made it may not. */
  lost: Type.Array(text),
  addresses: orNull(Type.Array(text)),
  daily_limits: orNull(Type.Record(text, Decimal)),
  /** What it orders above its limits waits for a person's approval. */
  asks_above: flag,
  created_at: Time,
  last_used_at: orNull(Time),
  last_used_from: orNull(text),
  /** False once it has ended. */
  good: flag,
  /** The end that it was made with; null: none, or it was rolled or revoked since. */
  ends_at: orNull(Time),
  /** Set when it was rolled or revoked, and where it ends by itself; it is valid until then. */
  valid_until: orNull(Time),
});
export type Key = Static<typeof Key>;
export const KeyPage = pageSchema(Key);

/**
 * The possible restrictions of a key. Of an action, `words` is what it allows, as it reads after "may"; `named_only`: a key
 * may do it only where it names it; `moves_money`: it spends the balance, and has daily limits. `withheld`: the actions that
 * this person can give to no key, each with the permission that they lack.
 */
export const KeyChoices = Type.Object({
  actions: Type.Array(Type.Object({ name: text, words: text, named_only: flag, moves_money: flag })),
  assets: Type.Array(text),
  withheld: Type.Record(text, text),
});
export type KeyChoices = Static<typeof KeyChoices>;

/** The secrets of valid test keys. */
export const TestSecrets = Type.Object({
  items: Type.Array(Type.Object({ id: Id, secret_key: text })),
});
export type TestSecrets = Static<typeof TestSecrets>;

export const MadeKey = Type.Object({ id: Id, secret_key: text });
export const MadeSigningKey = Type.Object({ secret_key: text });
export const RolledKey = Type.Object({ id: Id, secret_key: text, old_valid_until: Time });

const request = {
  id: Id,
  at: Time,
  method: text,
  /** As the route is registered, and as it was called. */
  route: text,
  path: text,
  status: Type.Integer(),
  duration_ms: Type.Number(),
  key: Type.Object({ id: Id, hint: orNull(text) }),
  address: text,
  request_id: text,
  error: orNull(text),
  payment_reference: orNull(text),
};

export const LoggedRequest = Type.Object(request);
export type LoggedRequest = Static<typeof LoggedRequest>;

/** With its bodies, without secrets; `_cut`: the body was longer than the part that is kept. */
export const LoggedExchange = Type.Object({
  ...request,
  request_body: orNull(text),
  request_cut: flag,
  response_body: orNull(text),
  response_cut: flag,
});
export type LoggedExchange = Static<typeof LoggedExchange>;

/** `dropped`: how many requests of this time could not be logged, because there were too many. */
export const RequestPage = Type.Object({
  items: Type.Array(LoggedRequest),
  next_cursor: orNull(text),
  dropped: Type.Number(),
});
export type RequestPage = Static<typeof RequestPage>;
