import { type Html, html } from '../../kit/http/html.ts';
import { linkTo, type PageContext } from '../context.ts';

/** Advice for a user who could not get in again after losing the password, the passkey or the authenticator app. */
export function protectPart(context: PageContext): Html | null {
  const { say, session } = context;
  if (!session || session.user.hasRecoveryCodes) return null;
  const { hasFactor, emailConfirmed } = session.user;
  if (emailConfirmed && !hasFactor) return null;
  return html`<div class="panel protect"><p><strong>${say('protectTitle')}</strong></p><p>${say(hasFactor ? 'protectFactor' : 'protectLead')}</p><p><a class="button plain" href="${linkTo(context, 'account')}#recovery">${say('protectButton')}</a></p></div>`;
}
