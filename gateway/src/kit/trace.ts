import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What spans say, and nothing else (contract.md#traces): ids of Florin's own, and words of closed lists. No text that a
 * customer or a merchant wrote, no path and no query.
 */
export type Facts = {
  'http.request.method'?: string;
  /** The template, such as `/payments/:payment_reference`. */
  'http.route'?: string;
  'http.response.status_code'?: number;
  /** The host of a webhook's URL. */
  'server.address'?: string;
  'error.type'?: string;
  'florin.integration_id'?: string;
  'florin.mode'?: string;
  'florin.payment_id'?: string;
  'florin.payout_id'?: string;
  'florin.event_id'?: string;
  'florin.event_type'?: string;
  'florin.endpoint_id'?: string;
  'florin.delivery_id'?: string;
  'florin.attempt'?: number;
  'florin.outcome'?: string;
  'florin.channel'?: string;
  /** How many items a commit has, or a report. */
  'florin.items'?: number;
};

export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

/** Where spans begin: below another span, or as the first of a trace. */
export type Scope = {
  begin(name: string, facts?: Facts, kind?: SpanKind): Span;
  /** Adds to what its span says; nothing where it is none. */
  note(facts: Facts): void;
};

export type Span = Scope & {
  /** As the header `traceparent` of W3C says it, for what continues the trace elsewhere; null: the trace is not kept. */
  readonly parent: string | null;
  /** Without it the span is never sent. */
  end(how?: 'well' | 'by a fault'): void;
};

/** The traces of this process. As a scope, it begins new ones. */
export type Traces = Scope & {
  /** The scope below a span of another program. New traces begin in it where `parent` is no `traceparent`. */
  below(parent: unknown): Scope;
  /** Sends what is not sent yet, for two seconds at most. */
  close(): Promise<void>;
};

type Place = { scope: Scope; ofSubjects?: ReadonlyMap<string, Scope> };

const places = new AsyncLocalStorage<Place>();

/** Runs `work`, whose spans begin in this scope. */
export function within<T>(scope: Scope, work: () => T): T {
  return places.run({ scope }, work);
}

/**
 * Runs `work`, which goes on for others than the request that happens to start it: no span of it begins in that request's
 * scope.
 */
export function outside<T>(work: () => T): T {
  return places.getStore() === undefined ? work() : places.exit(work);
}

/** The scope of the code that calls; in a batch, that of the item which writes to this subject. Undefined: nothing is traced. */
export function scopeHere(subject?: string): Scope | undefined {
  const place = places.getStore();
  return (subject === undefined ? undefined : place?.ofSubjects?.get(subject)) ?? place?.scope;
}

/** An item of a batch: where it came from, what it writes to, and what its span says. */
type Traced = { scope: Scope | undefined; subject?: string | undefined; facts?: Facts | undefined };

/** Runs work that items share; each that is traced gets a span of its own for it, in the trace that it came from. */
export async function spanEach<T>(
  name: string,
  items: readonly Traced[],
  work: () => Promise<T>,
): Promise<T> {
  const ofSubjects = new Map<string, Scope>();
  const spans = items.flatMap(({ scope, subject, facts }) => {
    const span = scope?.begin(name, { ...facts, 'florin.items': items.length });
    if (span && subject !== undefined) ofSubjects.set(subject, span);
    return span ?? [];
  });
  const [scope] = spans;
  if (!scope) return await work();
  let how: 'well' | 'by a fault' = 'by a fault';
  try {
    const result = await places.run({ scope, ofSubjects }, work);
    how = 'well';
    return result;
  } finally {
    for (const span of spans) span.end(how);
  }
}
