import type { Tx } from '../../kit/db/db.ts';
import type { Actor, Change } from '../audit/audit-log.ts';

/** The call that asked for an act, as JSON. */
export type ActInput = { params: Record<string, string>; body: unknown };

/** A call for an act, which is done, or tried without effect. */
export type Asked = ActInput & {
  /** The operator who asked. */
  by: { accountId: string; name: string };
  /** As whom the audit log has it: who asked, who confirmed, or the gateway. */
  actor: Actor;
  /** Another operator confirmed it. */
  isConfirmed: boolean;
};

/** What was done. `change` is null when there was nothing to do. */
export type Done = { message: string; data: unknown; change: Change | null };

/** An act of operators that one of them may not do alone. */
export type Act = {
  /** Names it for ever: proposals are stored under it. */
  kind: string;
  /** As people read it: `Change the fee of an integration`. */
  title: string;
  /** Who else gets a mail of a delay: the people of its business, or of every business with live mode. */
  concerns: 'its business' | 'every business';
  /** Whether one operator may do it alone, such as to give something up. */
  isAtOnce?(asked: Asked): boolean;
  /**
   * Reads the input and does the act, in the transaction of its entry in the audit log. It is also called to see
   * whether the act is possible and what it changes, and is then undone; so it has no effect outside the database.
   */
  perform(tx: Tx, asked: Asked): Promise<Done>;
};
