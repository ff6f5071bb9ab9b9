import { type Static, Type } from 'typebox';
import { Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { memberRoles } from '../../roles.ts';

// Answers of the dashboard's calls on a business, its members and its audit log.

const text = Type.String();
const flag = Type.Boolean();

export const MemberRole = Type.Enum([...memberRoles]);
export type MemberRole = Static<typeof MemberRole>;

export const Member = Type.Object({
  account_id: Id,
  name: text,
  email: text,
  role: MemberRole,
  has_two_factor: flag,
  has_passkey: flag,
  joined_at: Time,
});
export type Member = Static<typeof Member>;
export const MemberPage = pageSchema(Member);

const mode = Type.Enum(['test', 'live']);

/** What stops with a role: schedules of payouts, and approvals of schedules, whose payouts then need approval again. */
export const HeldItem = Type.Object({
  kind: Type.Enum(['schedule', 'approval']),
  integration: text,
  mode,
  /** The label of the schedule's address. */
  name: orNull(text),
  /** The asset of the schedule. */
  detail: text,
});
export type HeldItem = Static<typeof HeldItem>;
export const HeldPage = Type.Object({ items: Type.Array(HeldItem), next_cursor: Type.Null() });

/**
 * A valid key that a member made, before they are removed or get a role that may do less. `loses`: the calls that it may
 * no longer make then. `may_revoke`: whether this person may revoke it with that; a key that signs webhooks is rolled.
 */
export const KeyOfMember = Type.Object({
  id: Id,
  integration: text,
  mode,
  name: orNull(text),
  /** `sk_test_…abcd` */
  hint: text,
  is_signing: flag,
  last_used_at: orNull(Time),
  loses: Type.Array(text),
  may_revoke: flag,
});
export type KeyOfMember = Static<typeof KeyOfMember>;
export const KeyOfMemberPage = Type.Object({ items: Type.Array(KeyOfMember), next_cursor: Type.Null() });

export const ChangedRole = Type.Object({ account_id: Id, role: MemberRole });

/** A permission. `name`: in the words of a refusal, `cancel payments`. `words`: what it allows, as it reads after "may". */
export const Permission = Type.Object({ name: text, words: text, moves_money: flag });
export type Permission = Static<typeof Permission>;

/** `permissions`: all permissions that a role can have; `items`: the names of those that each role has. */
export const Roles = Type.Object({
  permissions: Type.Array(Permission),
  items: Type.Array(Type.Object({ role: MemberRole, permissions: Type.Array(text) })),
  next_cursor: Type.Null(),
});
export type Roles = Static<typeof Roles>;

/** An invitation that was neither accepted nor withdrawn; `invited_by` is an e-mail address. */
export const OpenInvitation = Type.Object({
  id: Id,
  email: text,
  role: MemberRole,
  invited_by: text,
  created_at: Time,
  expires_at: Time,
});
export type OpenInvitation = Static<typeof OpenInvitation>;
export const InvitationPage = pageSchema(OpenInvitation);

export const Invited = Type.Object({ id: Id, email: text, role: MemberRole });

/** An invitation as its link shows it; `has_account`: there is an account with the invited address. */
export const ReceivedInvitation = Type.Object({
  id: Id,
  email: text,
  role: MemberRole,
  /** Those of the role. */
  permissions: Type.Array(Permission),
  merchant: Type.Object({ name: text }),
  invited_by: Type.Object({ name: text, email: text }),
  has_account: flag,
  expires_at: Time,
});
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;

export const Joined = Type.Object({ merchant: Type.Object({ id: Id, name: text }), role: MemberRole });
export type Joined = Static<typeof Joined>;

/** The values of the fields that changed, by name. */
const fields = orNull(Type.Record(text, Type.Unknown()));

export const AuditEntry = Type.Object({
  id: Id,
  at: Time,
  actor: Type.Object({
    kind: Type.Enum(['account', 'user', 'key', 'command', 'gateway', 'stranger']),
    name: text,
    as_operator: flag,
    address: orNull(text),
  }),
  integration_id: orNull(Id),
  action: text,
  /** `name`: of a person their address or username, of a business or an integration its name. */
  subject: Type.Object({ kind: text, id: text, name: orNull(text) }),
  before: fields,
  after: fields,
});
export type AuditEntry = Static<typeof AuditEntry>;
export const AuditPage = pageSchema(AuditEntry);
