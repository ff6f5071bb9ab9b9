import type { Action } from '../../src/identity/keys/guards.ts';
import type { Permission } from '../../src/identity/roles.ts';
import type { PurposeName } from '../../src/payouts/payout/payout.ts';

/** Who may make a call: a key with a right, people with one in the dashboard, an operator, or whoever holds a page. */
export type RoadCall = { call: string } & (
  | { key: Action }
  | { may: Permission; fresh: boolean }
  | { operator: 'two persons' | 'one' }
  | { holds: 'the link' | 'the wallet' }
);

/** An answer to one of the four questions, and the test that holds it, as `file › title`; null: there is nothing to hold. */
export type RoadAnswer = { says: string; test: string | null };

/** A way by which money leaves or changes hands. */
export type Road = {
  name: string;
  asks: string;
  approves: RoadAnswer;
  limit: RoadAnswer;
  factor: RoadAnswer;
  calls: readonly RoadCall[];
  /** The payouts by which money goes it. */
  purpose?: PurposeName;
};

export const mode = '/console/integrations/:integration/:mode';
export const operator = '/console/operator';
export const byKey = (key: Action, ...calls: string[]): RoadCall[] => calls.map((call) => ({ call, key }));
export const byPerson = (may: Permission, ...calls: string[]): RoadCall[] =>
  calls.map((call) => ({ call, may, fresh: false }));
export const byFreshPerson = (may: Permission, ...calls: string[]): RoadCall[] =>
  calls.map((call) => ({ call, may, fresh: true }));
export const byTwoOperators = (...calls: string[]): RoadCall[] =>
  calls.map((call) => ({ call, operator: 'two persons' }));
export const byOperator = (...calls: string[]): RoadCall[] =>
  calls.map((call) => ({ call, operator: 'one' }));
export const byWallet = (...calls: string[]): RoadCall[] =>
  calls.map((call) => ({ call, holds: 'the wallet' }));
export const byLink = (call: string): RoadCall => ({ call, holds: 'the link' });
