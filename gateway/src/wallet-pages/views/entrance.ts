import type { Sentence } from '../../checkout/messages/translate.ts';
import { type Html, html } from '../../kit/http/html.ts';
import { linkTo, type PageContext, type View } from '../context.ts';
import {
  button,
  codeField,
  field,
  hidden,
  nameField,
  nameOfPassword,
  passwordField,
  postForm,
} from '../parts.ts';

/** The fields of a refused form that are shown again. */
export type Filled = { username?: string; email?: string; invitation?: string; token?: string };

/** A form that the script fills in and sends when a passkey has answered. */
function passkeyForm(context: PageContext, page: string, purpose: string) {
  return postForm(context, page, html`${hidden('token', '')}${hidden('response', '')}`, `passkey-${purpose}`);
}

export function signInView(context: PageContext, { username = '' }: Filled = {}): View {
  const { say, t, site } = context;
  const form = postForm(
    context,
    'sign-in',
    html`${nameField(context, username)}${passwordField(context, { label: t('password'), isNew: false })}${button(say('signInButton'))}`,
  );
  return {
    title: say('signInTitle'),
    main: html`<h1>${say('signInTitle')}</h1>
${form}
${context.hasName && html`<div class="passkey needs-script" data-passkey="sign-in"><p class="or"><span>${say('or')}</span></p><button type="button" class="button plain" data-failed="${say('passkeyFailed').text}">${say('signInPasskey')}</button>${passkeyForm(context, 'sign-in-passkey', 'sign-in')}</div>`}
<ul class="links"><li><a href="${linkTo(context, 'forgotten')}">${say('forgottenLink')}</a></li>${site.signUp !== 'off' && html`<li><a href="${linkTo(context, 'sign-up')}">${say('signUpLink')}</a></li>`}</ul>`,
  };
}

export function signUpView(context: PageContext, filled: Filled = {}): View {
  const { say, t, site } = context;
  const { username = '', email = '', invitation = '' } = filled;
  const form = postForm(
    context,
    'sign-up',
    html`${nameField(context, username, say('usernameHint'))}
${passwordField(context, { label: t('password'), hint: say('passwordHint'), isNew: true })}
${
  site.signUp === 'invitation' &&
  field({
    name: 'invitation',
    label: say('invitation'),
    attributes: html`value="${invitation}" autocomplete="off" autocapitalize="characters" maxlength="40" dir="ltr"`,
  })
}
${field({
  name: 'email',
  label: say('emailOptional'),
  hint: say('emailHint'),
  isOptional: true,
  attributes: html`type="email" value="${email}" autocomplete="email" maxlength="254" dir="ltr"`,
})}
${hidden('token', '')}${hidden('response', '')}
<p class="hint">${say('signUpData')}</p>
${button(say('signUpButton'))}
${context.hasName && html`<div class="passkey needs-script" data-passkey="sign-up"><p class="or"><span>${say('or')}</span></p><button type="button" class="button plain" data-failed="${say('passkeyFailed').text}">${say('signUpPasskey')}</button></div>`}`,
    'sign-up-form',
  );
  return {
    title: say('signUpTitle'),
    main: html`<h1>${say('signUpTitle')}</h1><p class="lead plain">${say('signUpLead')}</p>
${form}
<ul class="links"><li><a href="${linkTo(context, 'sign-in')}">${say('signInTitle')}</a></li></ul>`,
  };
}

/** The second step of a sign-in. */
export function codeView(context: PageContext): View {
  const { say } = context;
  return {
    title: say('codeTitle'),
    main: html`<h1>${say('codeTitle')}</h1><p class="lead plain">${say('codeLead')}</p>
${postForm(context, 'code', html`${codeField(say('code'))}${button(say('signInButton'))}`)}
<p class="hint">${say('lostLead')}</p>
<ul class="links"><li><a href="${linkTo(context, 'sign-in')}">${say('back')}</a></li></ul>`,
  };
}

export function forgottenView(context: PageContext, { username = '' }: Filled = {}, isByCode = false): View {
  const { say, t } = context;
  const mail = postForm(
    context,
    'forgotten',
    html`${nameField(context, isByCode ? '' : username)}${button(say('forgottenMail'))}`,
  );
  const byCode = postForm(
    context,
    'recover',
    html`${field({
      name: 'username',
      id: 'recover-username',
      label: t('username'),
      attributes: html`value="${isByCode ? username : ''}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" dir="auto"`,
    })}${codeField(say('recoveryCode'), 'recover-code')}${passwordField(context, {
      label: say('passwordNew'),
      hint: say('passwordHint'),
      isNew: true,
    })}${button(say('passwordSet'))}`,
  );
  return {
    title: say('forgottenTitle'),
    main: html`<h1>${say('forgottenTitle')}</h1><p class="lead plain">${say('forgottenLead')}</p>
${mail}
<details id="by-code" ${isByCode && html`open`}><summary id="by-code-summary">${say('forgottenByCode')}</summary><div class="disclosed">${byCode}</div></details>
<p class="hint">${say('lostLead')}</p>
<ul class="links"><li><a href="${linkTo(context, 'sign-in')}">${say('back')}</a></li></ul>`,
  };
}

/** Opened by the link of a mail. `isGood`: it may still be used; whose password it sets is for password managers. */
export function resetView(
  context: PageContext,
  { token = '', username = '' }: Filled,
  isGood: boolean,
): View {
  const { say } = context;
  const title = say('resetTitle');
  if (!isGood)
    return badLink(title, html`<a href="${linkTo(context, 'forgotten')}">${say('forgottenLink')}</a>`);
  return {
    title,
    main: html`<h1>${title}</h1><p class="lead plain">${say('resetLead')}</p>
${postForm(
  context,
  'reset',
  html`${hidden('token', token)}${nameOfPassword(username)}${passwordField(context, { label: say('passwordNew'), hint: say('passwordHint'), isNew: true })}${button(say('passwordSet'))}`,
)}`,
  };
}

/** Opened by the link of a mail. Mail programs open links by themselves, so that a button confirms. */
export function confirmView(context: PageContext, { token = '' }: Filled, isGood: boolean): View {
  const { say } = context;
  const title = say('confirmTitle');
  if (!isGood)
    return badLink(title, html`<a href="${linkTo(context, 'account')}">${say('accountTitle')}</a>`);
  return {
    title,
    main: html`<h1>${title}</h1><p class="lead plain">${say('confirmLead')}</p>
${postForm(context, 'confirm', html`${hidden('token', token)}${button(say('confirmButton'))}`)}`,
  };
}

/** The page of a link that is no longer good, with the way to a new one. */
function badLink(title: Sentence, again: Html): View {
  const main = html`<h1>${title}</h1><ul class="links"><li>${again}</li></ul>`;
  return { title, main, fault: 'faultLink', status: 400 };
}

/** Shown by the service worker when there is no connection. */
export function offlineView(context: PageContext): View {
  const { say } = context;
  return {
    title: say('offlineTitle'),
    main: html`<h1>${say('offlineTitle')}</h1><p class="lead plain">${say('offlineLead')}</p><a class="button primary" href="${linkTo(context, '')}">${say('again')}</a>`,
  };
}
