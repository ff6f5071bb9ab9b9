import { Type } from 'typebox';
import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { judgeAccountEmail } from '../accounts/accounts.ts';
import { identityErrors } from '../errors.ts';
import { invitationLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/mail.ts';
import {
  acceptInvitation,
  invitationByToken,
  invite,
  openInvitations,
  renewInvitation,
  type SentInvitation,
  withdrawInvitation,
} from '../merchants/invitations.ts';
import { assertManagesTeam } from '../merchants/team.ts';
import { memberRoles, permissionsOf, viewOf } from '../roles.ts';
import { InvitationPage, Invited, Joined, ReceivedInvitation } from './answers/team.ts';
import type { Call, Console } from './console.ts';
import { type AuthRoutesDeps, openCalls } from './sign-in/auth-open.ts';

const readInvitation = fieldReader(Type.Object({ email: Type.String(), role: Type.Enum([...memberRoles]) }), {
  email: judgeAccountEmail,
});
const TokenBody = Type.Object({ token: Type.String({ format: 'text', maxLength: 200 }) });
const readToken = fieldReader(TokenBody);

type InvitationDeps = AuthRoutesDeps & {
  /** BASE_URL, for the links in mails. */
  baseUrl: string;
};

/** Invitations: a person becomes a member by the link in a mail, which works for one account. */
export function invitationRoutes(dashboard: Console, deps: InvitationDeps): void {
  sentInvitations(dashboard, deps);
  receivedInvitations(dashboard, deps);
}

function sentInvitations(dashboard: Console, { db, guards, baseUrl, now }: InvitationDeps): void {
  const may = 'manage the team';

  async function sendLetter(
    tx: Tx,
    { merchant, session }: Call<'merchant'>,
    { email, role, token }: SentInvitation,
  ): Promise<void> {
    await guards.mail(email, 'invitation');
    const by = session.account.name;
    const url = `${baseUrl}/app/invitation/${token}`;
    await queueMail(tx, { to: email, ...invitationLetter({ merchant: merchant.name, by, role, url }) });
  }

  /** Limits how many mails a person sends. */
  async function assertMaySend({ session, request }: Call<'merchant'>): Promise<void> {
    if (!session.account.emailVerified) throw refuse(identityErrors.email_not_verified);
    await guards.rare(request, `${session.account.id} invites`);
  }

  dashboard.get('merchant', '/invitations', { may, answer: InvitationPage }, async ({ merchant }) => ({
    message: 'Invitations',
    data: { items: await openInvitations(db, merchant.id), next_cursor: null },
  }));

  dashboard.write(
    'POST',
    'merchant',
    '/invitations',
    { may, fresh: true, answer: Invited },
    async (tx, call) => {
      const input = readInvitation(call.body);
      await assertMaySend(call);
      const merchantId = call.merchant.id;
      const invitedBy = call.session.account.id;
      await assertManagesTeam(tx, { merchantId, accountId: invitedBy });
      const sent = await invite(tx, { ...input, merchantId, invitedBy }, now());
      await sendLetter(tx, call, sent);
      const { id, email, role } = sent;
      const change = {
        action: 'invited somebody',
        subject: { kind: 'invitation', id },
        after: { email, role },
      };
      return { message: 'Invitation sent', data: { id, email, role }, change };
    },
  );

  dashboard.write(
    'POST',
    'merchant',
    '/invitations/:invitation/send-again',
    { may, answer: Invited },
    async (tx, call) => {
      const id = invitationIdOf(call.params);
      await assertMaySend(call);
      const sent = await renewInvitation(tx, { merchantId: call.merchant.id, id }, now());
      await sendLetter(tx, call, sent);
      const { email, role } = sent;
      const change = {
        action: 'sent an invitation again',
        subject: { kind: 'invitation', id },
        after: { email, role },
      };
      return { message: 'Invitation sent again', data: { id, email, role }, change };
    },
  );

  dashboard.write(
    'DELETE',
    'merchant',
    '/invitations/:invitation',
    { may, answer: Nothing },
    async (tx, call) => {
      const id = invitationIdOf(call.params);
      const before = await withdrawInvitation(tx, { merchantId: call.merchant.id, id }, now());
      const change = { action: 'withdrew an invitation', subject: { kind: 'invitation', id }, before };
      return { message: 'Invitation withdrawn', data: null, change };
    },
  );
}

function receivedInvitations(dashboard: Console, deps: InvitationDeps): void {
  const { db, now } = deps;

  // The invitation can be read without an account: its link is too long to guess.
  openCalls(deps)('/invitation', { body: TokenBody, answer: ReceivedInvitation }, async ({ token }) => {
    const { merchant, ...invitation } = await invitationByToken(db, token, now());
    const { role } = invitation;
    const data = {
      ...invitation,
      permissions: viewOf(permissionsOf(role)),
      merchant: { name: merchant.name },
    };
    return { message: 'Invitation', data };
  });

  dashboard.write(
    'POST',
    'account',
    '/invitations/accept',
    { answer: Joined },
    async (tx, { session, body }) => {
      const { token } = readToken(body);
      const { account } = session;
      const { id, merchant, role } = await acceptInvitation(tx, { token, account }, now());
      const change = {
        action: 'accepted an invitation',
        subject: { kind: 'invitation', id },
        after: { email: account.email, role },
        merchantId: merchant.id,
      };
      return { message: 'You are a member now', data: { merchant, role }, change };
    },
  );
}

function invitationIdOf({ invitation = '' }: Record<string, string>): string {
  if (!isUuid(invitation)) throw refuse(kitErrors.not_found);
  return invitation;
}
