import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { TSchema } from 'typebox';
import type { Database } from '../../../kit/db/db.ts';
import type { Session } from '../../accounts/sessions.ts';
import type { Actor } from '../../audit/audit-log.ts';
import type { Integration, IntegrationId, Mode } from '../../integration.ts';
import type { Merchant } from '../../merchants/merchants.ts';
import type { Permission, Role } from '../../roles.ts';

/** The subject of a route of the dashboard's API, which decides who may call it. */
export const scopes = {
  /** Any signed-in person, about themselves. */
  account: '/console/account',
  /** Members of the merchant. */
  merchant: '/console/merchants/:merchant',
  /** Members of the integration's merchant. */
  integration: '/console/integrations/:integration',
  /** The same, for one mode of the integration. */
  mode: '/console/integrations/:integration/:mode',
  /** Operators of this installation. */
  operator: '/console/operator',
} as const;

export type Scope = keyof typeof scopes;

export type Reached = {
  account: object;
  merchant: { merchant: Merchant; role: Role };
  /** `merchant` is null for an integration that was made on the command line. */
  integration: { merchant: Merchant | null; role: Role; integration: Integration };
  mode: Reached['integration'] & { owner: { integrationId: IntegrationId; mode: Mode } };
  operator: object;
};

/** A call that was allowed: the caller, the subject, and the input. */
export type Call<S extends Scope> = Reached[S] & {
  session: Session;
  actor: Actor;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A call whose answer may be some seconds old: `aged` is where it reads (contract.md#standby). */
export type AgedCall<S extends Scope> = Call<S> & { aged: Database };

export type Unproven = 'always' | 'to set up';

export type Permitted<S extends Scope> = S extends 'account' | 'operator' ? object : { may: Permission };

export type ConsoleRoute = {
  method: HTTPMethods;
  url: string;
  scope: Scope;
  may: Permission | null;
  fresh: boolean;
  /** Whether another operator must confirm it, or a day must pass, before it is done. */
  isAct: boolean;
  /** Whether a standby may answer it. */
  isAged: boolean;
  /** Whether it answers people who have not shown the second factor that their account needs. */
  unproven: Unproven | null;
  /** The schema of the answer's `data`; null for a file. */
  answer: TSchema | null;
};
