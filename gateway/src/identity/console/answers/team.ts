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

/**
 * What stops with a role: keys, each with the calls that it may no longer make, schedules of payouts, and approvals of
 * schedules, whose payouts then need approval again. `detail`: the end of a key, the asset of a schedule.
 */
export const HeldItem = Type.Object({
  kind: Type.Enum(['key', 'schedule', 'approval']),
  integration: text,
  mode: Type.Enum(['test', 'live']),
  name: orNull(text),
  detail: text,
  actions: Type.Array(text),
});
export type HeldItem = Static<typeof HeldItem>;
export const HeldPage = Type.Object({ items: Type.Array(HeldItem), next_cursor: Type.Null() });

export const ChangedRole = Type.Object({ account_id: Id, role: MemberRole });

/** `permissions`: all permissions that a role can have, in the words of a refusal: `cancel payments`. */
export const Roles = Type.Object({
  permissions: Type.Array(text),
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
