import { code as codeText } from '../../checkout/parts/copy.ts';
import { disclosure } from '../../checkout/parts/form.ts';
import { qrImage } from '../../checkout/qr.ts';
import { type Html, html } from '../../kit/http/html.ts';
import type { ListedPasskey } from '../../wallets/accounts/passkeys.ts';
import type { ListedUserSession, UserSession } from '../../wallets/accounts/sessions.ts';
import { linkTo, type PageContext, type View } from '../context.ts';
import {
  button,
  codeField,
  field,
  hidden,
  nameOfPassword,
  passwordField,
  postForm,
  section,
} from '../parts.ts';
import { installPart } from './install.ts';
import { protectPart } from './protect.ts';

export type AccountFacts = {
  sessions: readonly ListedUserSession[];
  passkeys: readonly ListedPasskey[];
  codesLeft: number;
  /** How a change asks for the second factor; null: it was shown a short time ago, or the user has none. */
  codeAsked: 'code' | 'code or passkey' | null;
  /** The form that was refused, which is shown open again. */
  open: AccountForm | null;
};

/** The forms that are behind disclosures, by the ids of these. */
export type AccountForm =
  | 'change-email'
  | 'change-password'
  | 'end-factor'
  | 'start-factor'
  | 'make-codes'
  | 'add-passkey';

/** The account of the user. */
export function accountView(context: PageContext, session: UserSession, facts: AccountFacts): View {
  const { say, t } = context;
  const { user } = session;
  return {
    title: say('accountTitle'),
    nav: 'account',
    main: html`<h1>${say('accountTitle')}</h1>
<dl class="facts"><div><dt>${t('username')}</dt><dd><strong><bdi>${user.username}</bdi></strong></dd></div></dl>
${user.hasFactor && protectPart(context)}
${section('email-title', say('emailTitle'), emailPart(context, session, facts))}
${section('recovery', say('recoveryTitle'), recoveryPart(context, session, facts))}
${section('password-title', say('passwordTitle'), disclosure('change-password', say('passwordSet'), passwordPart(context, session, facts), facts.open === 'change-password'))}
${section('factor-title', say('factorTitle'), factorPart(context, session, facts))}
${section('passkeys-title', say('passkeysTitle'), passkeysPart(context, session, facts))}
${section('sessions-title', say('sessionsTitle'), sessionsPart(context, session, facts.sessions))}
${context.mode === 'live' && html`<ul class="links"><li><a href="${linkTo(context, 'proof')}">${t('proofTitle')}</a></li></ul>`}
${installPart(context)}`,
  };
}

/** Fields for the password and a code, if the user has them: an open session alone must change nothing. */
function proofFields(
  context: PageContext,
  { user }: UserSession,
  { codeAsked }: AccountFacts,
  id: string,
): Html {
  const label = context.say('passwordNow');
  return html`${user.hasPassword && passwordField(context, { name: 'current', id: `${id}-current`, label, isNew: false })}${codePart(context, codeAsked, id)}`;
}

function codePart({ say }: PageContext, asked: AccountFacts['codeAsked'], id: string): Html | null {
  return asked && codeField(say('code'), `${id}-code`, asked !== 'code');
}

function emailPart(context: PageContext, session: UserSession, facts: AccountFacts): Html {
  const { say } = context;
  const { email, emailConfirmed } = session.user;
  const state =
    email === null ? say('emailNone') : say(emailConfirmed ? 'emailLead' : 'emailWaits', { email });
  const form = postForm(
    context,
    'account/email',
    html`${field({
      name: 'email',
      label: say('emailOptional'),
      isOptional: true,
      attributes: html`type="email" value="${email ?? ''}" autocomplete="email" maxlength="254" dir="ltr"`,
    })}${proofFields(context, session, facts, 'email')}${button(say('emailSave'), 'plain')}`,
  );
  return html`<p class="hint">${state}</p>${disclosure('change-email', say('emailSet'), form, facts.open === 'change-email')}`;
}

function passwordPart(context: PageContext, session: UserSession, facts: AccountFacts): Html {
  const { say } = context;
  return postForm(
    context,
    'account/password',
    html`${nameOfPassword(session.user.username)}${proofFields(context, session, facts, 'password')}${passwordField(
      context,
      {
        label: say('passwordNew'),
        hint: say('passwordHint'),
        isNew: true,
      },
    )}${button(say('passwordSet'), 'plain')}`,
  );
}

function factorPart(context: PageContext, session: UserSession, facts: AccountFacts): Html {
  const { say } = context;
  const { open } = facts;
  if (session.user.hasFactor) {
    return html`<p class="hint">${say('factorOn')}</p>${disclosure(
      'end-factor',
      say('factorEnd'),
      postForm(
        context,
        'account/factor-off',
        html`${codeField(say('code'), 'factor-code')}${button(say('factorEnd'), 'plain')}`,
      ),
      open === 'end-factor',
    )}`;
  }
  return html`<p class="hint">${say('factorOff')}</p>${disclosure(
    'start-factor',
    say('factorStart'),
    postForm(
      context,
      'account/factor',
      html`${proofFields(context, session, facts, 'factor')}${button(say('factorStart'), 'plain')}`,
    ),
    open === 'start-factor',
  )}`;
}

function recoveryPart(context: PageContext, session: UserSession, facts: AccountFacts): Html {
  const { say } = context;
  const { codesLeft: left, open } = facts;
  return html`<p class="hint">${left === 0 ? say('recoveryNone') : say('recoveryLeft', { count: left })}</p>${disclosure(
    'make-codes',
    say('recoveryMake'),
    postForm(
      context,
      'account/recovery-codes',
      html`${proofFields(context, session, facts, 'recovery')}${button(say('recoveryMake'), 'plain')}`,
    ),
    open === 'make-codes',
  )}`;
}

function passkeysPart(context: PageContext, session: UserSession, facts: AccountFacts): Html {
  const { say, format } = context;
  const list = facts.passkeys.map(({ id, name, created_at }) => {
    const remove = postForm(
      context,
      'account/passkey-off',
      html`${hidden('id', id)}${codePart(context, facts.codeAsked, `passkey-${id}`)}<button class="quiet">${say('passkeyRemove')}<span class="visually-hidden"> ${name}</span></button>`,
    );
    return html`<li><span><bdi>${name}</bdi> <span class="line-side"><time datetime="${created_at.toISOString()}">${format.time(created_at)}</time></span></span>${remove}</li>`;
  });
  const add = postForm(
    context,
    'account/passkey',
    html`${hidden('token', '')}${hidden('response', '')}${proofFields(context, session, facts, 'passkey')}<button class="button plain" data-failed="${say('passkeyFailed').text}">${say('passkeyAdd')}</button>`,
    'passkey-add',
  );
  return html`<p class="hint">${say('passkeysLead')}</p>
${list.length > 0 && html`<ul class="rows-list">${list}</ul>`}
<p class="hint" ${context.hasName && html`data-no-passkeys`}>${say('passkeysNeedScript')}</p>
${context.hasName && html`<div class="passkey needs-script" data-passkey="add">${disclosure('add-passkey', say('passkeyAdd'), add, facts.open === 'add-passkey')}</div>`}`;
}

function sessionsPart(
  context: PageContext,
  { id: own }: UserSession,
  sessions: readonly ListedUserSession[],
): Html {
  const { say, format, now } = context;
  const list = sessions.map(({ id, address, user_agent, seen_at }) => {
    const device = deviceOf(user_agent) ?? say('sessionUnknown').text;
    const end = postForm(
      context,
      'account/session-off',
      html`${hidden('id', id)}<button class="quiet">${say('sessionEnd')}<span class="visually-hidden"> ${device} ${address}</span></button>`,
    );
    return html`<li><span><bdi>${device}</bdi>${id === own && html` <strong class="here">${say('sessionHere')}</strong>`}<span class="line-note"><bdi dir="ltr">${address}</bdi> · ${say('sessionSeen', { time: format.time(seen_at, now) })}</span></span>${id !== own && end}</li>`;
  });
  return html`<ul class="rows-list">${list}</ul>
${sessions.length > 1 && postForm(context, 'account/sessions-off', button(say('sessionsEndOthers'), 'plain'))}`;
}

const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux', 'CrOS'];
const browsers = ['Edg', 'OPR', 'Firefox', 'SamsungBrowser', 'Chrome', 'Safari'];
const names: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
};

/** `Firefox, Android`: a User-Agent header in words for people. */
function deviceOf(userAgent: string | null): string | null {
  const found = [browsers, systems].flatMap((words) => words.find((word) => userAgent?.includes(word)) ?? []);
  return found.length === 0 ? null : found.map((word) => names[word] ?? word).join(', ');
}

/** The secret of an app as QR code and text, and the field for its first code. */
export function factorView(context: PageContext, { address, key }: { address: string; key: string }): View {
  const { say } = context;
  return {
    title: say('factorStart'),
    nav: 'account',
    main: html`<h1>${say('factorStart')}</h1><p class="lead plain">${say('factorScan')}</p>
${qrImage(address, say('factorQr').text)}
<p class="on-phone"><a class="button plain" href="${address}">${say('factorOpen')}</a></p>
<dl class="rows"><div><dt>${say('factorKey')}</dt><dd>${codeText(key)}</dd></div></dl>
${postForm(context, 'account/factor-on', html`${codeField(say('code'))}${button(say('factorConfirm'))}`)}
<ul class="links"><li><a href="${linkTo(context, 'account')}">${say('back')}</a></li></ul>`,
  };
}

/** New recovery codes, which are shown once. */
export function codesView(context: PageContext, codes: readonly string[]): View {
  const { say, t, session } = context;
  const lines = codes.join('\n');
  return {
    title: say('recoveryTitle'),
    nav: 'account',
    main: html`<h1>${say('recoveryTitle')}</h1><p class="lead plain">${say('recoveryShown')}</p>
<ol class="codes-list">${codes.map((each) => html`<li>${codeText(each)}</li>`)}</ol>
<ul class="moves codes-ways"><li class="needs-script"><button type="button" class="button plain" data-copy="${lines}" data-copied="${t('copied').text}"><span>${t('copy')}</span></button></li><li><a class="button plain" download="florin-${session?.user.username ?? 'wallet'}.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(lines)}">${say('codesSave')}</a></li></ul>
<a class="button primary" href="${linkTo(context, 'account')}">${say('accountTitle')}</a>`,
  };
}
