import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { account } from './account.ts';
import { Approval, FeePayer } from './integrations.ts';
import { MemberRole } from './team.ts';

// Answers of the operators' calls on businesses, people, announcements and mails.

const text = Type.String();
const count = Type.Integer();

export const MerchantLine = Type.Object({
  id: Id,
  name: text,
  created_at: Time,
  suspended_at: orNull(Time),
  members: count,
  integrations: count,
  /** How many integrations may take live payments. */
  approved: count,
  owner_email: orNull(text),
});
export type MerchantLine = Static<typeof MerchantLine>;
export const MerchantPage = pageSchema(MerchantLine);

/** `merchant_id` is null for an integration that was made on the command line. */
export const IntegrationLine = Type.Object({
  id: Id,
  name: text,
  approval: Approval,
  fee: Type.Object({ bps: count, fixed: Decimal, floor: Decimal, cap: orNull(Decimal) }),
  fee_payer: FeePayer,
  merchant_id: orNull(Id),
  merchant_name: orNull(text),
  created_at: Time,
});
export type IntegrationLine = Static<typeof IntegrationLine>;
export const IntegrationLinePage = pageSchema(IntegrationLine);

export const MerchantDetail = Type.Object({
  id: Id,
  name: text,
  created_at: Time,
  suspension: orNull(Type.Object({ since: Time, reason: text })),
  members: Type.Array(Type.Object({ account_id: Id, email: text, name: text, role: MemberRole })),
  integrations: IntegrationLinePage,
});
export type MerchantDetail = Static<typeof MerchantDetail>;

/** How many integrations were suspended or resumed with their business. */
export const ChangedIntegrations = Type.Object({ integrations: count });

export const AccountLine = Type.Object({
  ...account,
  created_at: Time,
  sessions: count,
  last_seen_at: orNull(Time),
  merchants: Type.Array(Type.Object({ id: Id, name: text, role: MemberRole })),
});
export type AccountLine = Static<typeof AccountLine>;
export const AccountPage = pageSchema(AccountLine);

export const OperatorSet = Type.Object({ id: Id, is_operator: Type.Boolean() });

export const Announcement = Type.Object({
  id: Id,
  text,
  tone: Type.Enum(['quiet', 'waiting', 'lost']),
  created_at: Time,
  ended_at: orNull(Time),
});
export type Announcement = Static<typeof Announcement>;
export const AnnouncementPage = pageSchema(Announcement);

export const MailLine = Type.Object({
  id: Id,
  recipient: text,
  subject: text,
  state: Type.Enum(['waiting', 'sent', 'failed']),
  created_at: Time,
  sent_at: orNull(Time),
  attempts: count,
  next_attempt_at: orNull(Time),
  last_error: orNull(text),
  has_text: Type.Boolean(),
  /** Its text gives access, and is not shown to this session. */
  is_hidden: Type.Boolean(),
});
export type MailLine = Static<typeof MailLine>;

/** Without a server mails stay in the outbox. */
export const MailPage = Type.Object({
  has_server: Type.Boolean(),
  items: Type.Array(MailLine),
  next_cursor: orNull(text),
});
export type MailPage = Static<typeof MailPage>;

export const OpenedMail = Type.Object({ recipient: text, subject: text, text });
export type OpenedMail = Static<typeof OpenedMail>;
export const TestMail = Type.Object({ to: text });

/** The id of the row that was made or changed. */
export const Changed = Type.Object({ id: Id });
