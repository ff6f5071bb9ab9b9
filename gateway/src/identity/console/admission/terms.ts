import type { FastifyReply } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Tx } from '../../../kit/db/db.ts';
import type { Sent } from '../../../kit/http/answers.ts';
import type { Change } from '../../audit/audit-log.ts';
import type { Act, Asked } from '../../proposals/acts.ts';
import type { AgedCall, Call, ConsoleRoute, Permitted, Scope, Unproven } from './call.ts';

type Terms<S extends Scope, A extends TSchema> = Permitted<S> & {
  /** The schema of the answer's `data`; the compiler checks the handler against it. */
  answer: A;
  /** Requires a sign-in or a confirmation in the last ten minutes. */
  fresh?: boolean;
  /** Allows the call before the second factor that the account needs was shown: always, or only to set the first one up. */
  unproven?: Unproven;
  /** A higher limit for the body. */
  bodyLimitBytes?: number;
};

export type Answered<D = unknown> = { message: string; data: D };
/** A write reports its change; null when nothing changed. */
export type Written<D = unknown> = Answered<D> & { change: Change | null };

/** How an act is declared. `isKeyed`: a call needs an Idempotency-Key, because a second call would do it a second time. */
type ActTerms<A extends TSchema> = Pick<Act, 'kind' | 'title' | 'isAtOnce'> &
  Partial<Pick<Act, 'concerns'>> & { answer: A; isKeyed?: boolean };

export type Console = {
  /** Every route, for the test that calls each as people who may not. */
  routes: readonly ConsoleRoute[];
  /** Reads. */
  get<S extends Scope, A extends TSchema>(
    scope: S,
    path: string,
    terms: Terms<S, A>,
    handler: (call: Call<S>) => Promise<Answered<Sent<Static<A>>>>,
  ): void;
  /**
   * Reads a list or a chart by `call.aged`, which may be a standby: nothing that decides about money. The handler may run a
   * second time. Its answer says how old it is, by the header `As-Of` and the field `as_of`.
   */
  getAged<S extends Scope, A extends TObject>(
    scope: S,
    path: string,
    terms: Terms<S, A>,
    handler: (call: AgedCall<S>) => Promise<Answered<Sent<Static<A>>>>,
  ): void;
  /** Reads a file. The handler sends it by `call.reply`. */
  download<S extends Scope>(
    scope: S,
    path: string,
    terms: Permitted<S>,
    handler: (call: Call<S>) => Promise<FastifyReply>,
  ): void;
  /** The same by `call.aged`, as `getAged`. */
  downloadAged<S extends Scope>(
    scope: S,
    path: string,
    terms: Permitted<S>,
    handler: (call: AgedCall<S>) => Promise<FastifyReply>,
  ): void;
  /**
   * Writes in one transaction, together with the entry of the audit log, and once for each Idempotency-Key.
   * With `secrets` it takes no Idempotency-Key, because the answers of those are stored.
   */
  write<S extends Scope, A extends TSchema>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    scope: S,
    path: string,
    terms: Terms<S, A> & { secrets?: boolean },
    handler: (tx: Tx, call: Call<S>) => Promise<Written<Sent<Static<A>>>>,
  ): void;
  /**
   * An act that one operator may not do alone: done at once if nobody else is needed; else kept as a proposal until another
   * operator confirms it or its day has passed, and answered with 202 and the proposal.
   */
  propose<A extends TSchema>(
    method: 'POST' | 'PUT',
    path: string,
    terms: ActTerms<A>,
    perform: (tx: Tx, asked: Asked) => Promise<Written<Sent<Static<A>>>>,
  ): void;
  /**
   * Does what does not fit one transaction, such as calling another system; `record` writes the audit log. A handler
   * that returns null has sent the answer itself, which was stored for its Idempotency-Key.
   */
  act<S extends Scope, A extends TSchema>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    scope: S,
    path: string,
    terms: Terms<S, A>,
    handler: (
      call: Call<S>,
      record: (tx: Tx, change: Change) => Promise<void>,
    ) => Promise<Answered<Sent<Static<A>>> | null>,
  ): void;
};
