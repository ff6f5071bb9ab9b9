import { type Static, Type } from 'typebox';
import { Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { memberRoles } from '../../roles.ts';
import { Approval } from './integrations.ts';

// Answers of the dashboard's calls on one's own account, and of the calls of a sign-in.

const text = Type.String();
const flag = Type.Boolean();

/**
 * The password was right. `two_factor_needed`: a code is needed too. `reset_token`: nobody is signed in, because the password
 * is too easily guessed or was chosen by somebody else; this token is for choosing another.
 */
export const SignInStep = Type.Object({
  two_factor_needed: flag,
  reset_token: Type.Union([text, Type.Null()]),
});
export type SignInStep = Static<typeof SignInStep>;

export const ConfirmedAddress = Type.Object({ email: text });
export type ConfirmedAddress = Static<typeof ConfirmedAddress>;

/** Options of `navigator.credentials`, as JSON. */
export const PasskeyOptions = Type.Record(text, Type.Unknown());

/** A person, as themselves and operators see them. */
export const account = {
  id: Id,
  email: text,
  name: text,
  email_verified: flag,
  is_operator: flag,
  has_two_factor: flag,
  has_passkey: flag,
};

const Account = Type.Object(account);

const IntegrationSummary = Type.Object({ id: Id, name: text, approval: Approval, logo_url: orNull(text) });
export type IntegrationSummary = Static<typeof IntegrationSummary>;

/** A business that the person is a member of. */
const Membership = Type.Object({
  id: Id,
  name: text,
  role: Type.Enum([...memberRoles]),
  /** What this role may do, in the words of a refusal: `cancel payments`. */
  permissions: Type.Array(text),
  integrations: Type.Array(IntegrationSummary),
});
export type Membership = Static<typeof Membership>;

const AnnouncementTone = Type.Enum(['quiet', 'waiting', 'lost']);

/** Who is signed in, what they can reach, and the current announcement. */
export const SignedIn = Type.Object({
  account: Account,
  /** An operator, or an owner of a business with live mode. */
  needs_second_factor: flag,
  /** What the person must do first: set up a second factor, or show it; null: nothing. */
  missing_factor: orNull(Type.Enum(['set up', 'show'])),
  /** Empty while a factor is missing. */
  merchants: Type.Array(Membership),
  announcement: orNull(Type.Object({ id: Id, text, tone: AnnouncementTone })),
  /** The name of each asset's network, by the asset's code. */
  networks: Type.Record(text, text),
  /** Whether there is a mail server. Without one, mails wait in the outbox. */
  sends_mail: flag,
});
export type SignedIn = Static<typeof SignedIn>;

export const Named = Type.Object({ name: text });
export const NamedId = Type.Object({ id: Id, name: text });
export type NamedId = Static<typeof NamedId>;

/** A valid session; `current` is the one of this call. */
export const SessionItem = Type.Object({
  id: Id,
  created_at: Time,
  seen_at: Time,
  address: orNull(text),
  user_agent: orNull(text),
  current: flag,
});
export type SessionItem = Static<typeof SessionItem>;
export const SessionPage = pageSchema(SessionItem);

/** How many sessions ended. */
export const Ended = Type.Object({ ended: Type.Integer() });
export type Ended = Static<typeof Ended>;

export const Passkey = Type.Object({ id: Id, name: orNull(text), created_at: Time, backed_up: flag });
export type Passkey = Static<typeof Passkey>;
export const PasskeyPage = pageSchema(Passkey);
export const PasskeyAdded = Type.Object({ id: Id });

export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(text) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
/** `totp_uri` is what an authenticator app scans. */
export const TwoFactorSetup = Type.Object({ totp_uri: text, recovery_codes: Type.Array(text) });
export type TwoFactorSetup = Static<typeof TwoFactorSetup>;
