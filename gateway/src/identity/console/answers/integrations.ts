import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { memberRoles } from '../../roles.ts';

// Answers of the dashboard's calls on integrations: their settings, and their way to live mode.

const text = Type.String();
const count = Type.Integer();

export const Mode = Type.Enum(['test', 'live']);
export type Mode = Static<typeof Mode>;
export const Approval = Type.Enum(['none', 'requested', 'approved', 'rejected', 'suspended']);
export type Approval = Static<typeof Approval>;
export const FeePayer = Type.Enum(['merchant', 'customer']);

/** Basis points of the amount, and amounts in the payment's own currency. */
export const FeeTerms = Type.Object({
  bps: count,
  fixed: Type.Optional(Decimal),
  floor: Type.Optional(Decimal),
  cap: Type.Optional(orNull(Decimal)),
});
export type FeeTerms = Static<typeof FeeTerms>;

const ShortTolerance = Type.Object({ percent: Type.Number(), most: Decimal });

const settings = {
  id: Id,
  name: text,
  logo_url: orNull(text),
  domain: orNull(text),
  /** The text that proves the domain. */
  domain_proof: orNull(text),
  domain_verified_at: orNull(Time),
  success_url: orNull(text),
  failure_url: orNull(text),
  /** Where customers write to; shown on the hosted page, on receipts and in their mails. */
  contact_email: orNull(text),
  contact_url: orNull(text),
  /** What the hosted page shows of the brand: its colour as it was chosen, and the sentence above the amount. */
  brand_color: orNull(text),
  page_sentence: orNull(text),
  /** The head of receipts: the lines of an address, and a tax number. */
  postal_address: orNull(text),
  tax_number: orNull(text),
  live_deadline_seconds: count,
  late_window_seconds: count,
  /** How long the rate of a price holds in live mode. */
  quote_seconds: count,
  /** Basis points that are added to a price before it is quoted. */
  price_adjustment: count,
  /** How much less than is due completes a payment: a part of it, and at most so many US dollars. */
  short_tolerance: ShortTolerance,
  fee_payer: FeePayer,
  fee: FeeTerms,
  approval: Approval,
  approval_reason: orNull(text),
  created_at: Time,
};

export const Settings = Type.Object(settings);
export type Settings = Static<typeof Settings>;
export const IntegrationPage = pageSchema(Settings);

/** An integration with its business, which is null for one that was made on the command line. */
export const IntegrationAnswer = Type.Object({
  ...settings,
  merchant: orNull(Type.Object({ id: Id, name: text })),
  role: Type.Enum([...memberRoles, 'operator']),
});
export type IntegrationAnswer = Static<typeof IntegrationAnswer>;

/** The domain of the hosted page, with the records that it needs in DNS; null: the page is at the installation's address. */
export const PageDomainAnswer = Type.Object({
  domain: orNull(text),
  verified_at: orNull(Time),
  /** Since when a proved domain shows its records no more. */
  lost_at: orNull(Time),
  records: Type.Array(Type.Object({ type: text, name: text, value: text })),
});
export type PageDomainAnswer = Static<typeof PageDomainAnswer>;

/** A colour as the hosted page shows it: on light and on dark paper. */
export const ColorsAnswer = Type.Object({ light: text, dark: text });
export type ColorsAnswer = Static<typeof ColorsAnswer>;

export const MadeIntegration = Type.Object({ id: Id, name: text, secret_key: text });
export type MadeIntegration = Static<typeof MadeIntegration>;

/** Something to do before live mode; `optional`: it may be asked for without. */
export const Task = Type.Object({
  slug: text,
  title: text,
  done: Type.Boolean(),
  optional: Type.Optional(Type.Boolean()),
});
export type Task = Static<typeof Task>;

const approval = {
  status: Approval,
  /** Why it was rejected or suspended. */
  reason: orNull(text),
  requested_at: orNull(Time),
  decided_at: orNull(Time),
};

export const RequestedApproval = Type.Object(approval);

export const ApprovalState = Type.Object({ ...approval, fee: FeeTerms, tasks: Type.Array(Task) });
export type ApprovalState = Static<typeof ApprovalState>;

const applicant = {
  id: Id,
  name: text,
  logo_url: orNull(text),
  merchant: orNull(Type.Object({ id: Id, name: text })),
  approval: Approval,
  reason: orNull(text),
  domain: orNull(text),
  domain_verified: Type.Boolean(),
  requested_at: orNull(Time),
  decided_at: orNull(Time),
  created_at: Time,
  /** The installation asks for an own address, and none is set for live payments. */
  lacks_own_address: Type.Boolean(),
};

/** An integration as an operator sees it before a decision. */
export const Applicant = Type.Object(applicant);
export type Applicant = Static<typeof Applicant>;
export const ApplicantPage = pageSchema(Applicant);

/** The completed payments of one mode and currency. */
export const Volume = Type.Object({ mode: Mode, currency: text, payments: text, amount: Decimal });
export type Volume = Static<typeof Volume>;

/** `volume`: the completed payments of the last 30 days. */
export const ApplicantDetail = Type.Object({
  ...applicant,
  tasks: Type.Array(Task),
  volume: Type.Array(Volume),
});
export type ApplicantDetail = Static<typeof ApplicantDetail>;
