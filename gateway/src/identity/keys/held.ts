import type { Reader } from '../../kit/db/db.ts';
import type { Mode } from '../integration.ts';
import type { Role } from '../roles.ts';

/** A person's part in a business. */
export type MemberOf = { merchantId: string; accountId: string };

/** A member's role now, and the one that they would get; `to` null: they are removed. */
export type RoleChange = { from: Role; to: Role | null };

/** What pays out by itself while a person may: their schedule, or a schedule that they approved. */
export type Held = {
  kind: 'schedule' | 'approval';
  integration: string;
  mode: Mode;
  /** The label of its address. */
  name: string | null;
  /** The asset that it pays. */
  detail: string;
};

/** Finds what another slice holds that stops when a member's role changes. */
export type HeldBy = (reader: Reader, member: MemberOf, change: RoleChange) => Promise<Held[]>;
