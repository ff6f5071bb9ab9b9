import { showButton } from '../checkout/parts/form.ts';
import type { Html, HtmlValue } from '../kit/http/html.ts';
import { html } from '../kit/http/html.ts';
import { keptBy, type PageContext } from './context.ts';
import { type Notes, noticeKeys } from './notices.ts';

/** A form that posts to a page of the wallet, with the parameters of `keptBy`. */
export function postForm(context: PageContext, page: string, content: Html, id?: string): Html {
  const kept = Object.entries(keptBy(context, page)).map(([name, value]) => hidden(name, value));
  return html`<form method="post" action="${context.site.path}/${page}" ${id && html`id="${id}"`}>${kept}${content}</form>`;
}

/** A form that leads to a page of the wallet, whose query its fields are. */
export function getForm(context: PageContext, page: string, content: Html, look?: string): Html {
  const kept = Object.entries(keptBy(context, page)).map(([name, value]) => hidden(name, value));
  return html`<form method="get" action="${context.site.path}/${page}" ${look && html`class="${look}"`}>${kept}${content}</form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** A labelled field with a hint below it. `id` differs from `name` when a page has the name twice. */
export function field(given: {
  name: string;
  label: HtmlValue;
  attributes: Html;
  hint?: HtmlValue;
  id?: string;
  isOptional?: boolean;
  after?: Html;
}): Html {
  const { name, label, attributes, hint, id = name, isOptional = false, after } = given;
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" ${!isOptional && html`required`} ${hint && html`aria-describedby="${id}-hint"`} ${attributes}>${after}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
}

export function button(label: HtmlValue, look: 'primary' | 'plain' = 'primary'): Html {
  return html`<button class="button ${look}">${label}</button>`;
}

/** A heading and what belongs to it. */
export function section(id: string, title: HtmlValue, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

/** The result of the form that was just sent. */
export function noticePart({ say }: PageContext, { notice, fault }: Notes): Html | null {
  if (fault) return html`<p class="notice bad" role="alert">${fault}</p>`;
  const key = noticeKeys.find((each) => each === notice);
  return key ? html`<p class="notice good" role="status">${say(key)}</p>` : null;
}

/** Username and password as password managers know them. */
export function nameField({ t }: PageContext, value: string, hint?: HtmlValue): Html {
  return field({
    name: 'username',
    label: t('username'),
    hint,
    attributes: html`value="${value}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" dir="auto"`,
  });
}

/** Whose password a form changes, for password managers: they keep the new one by it. */
export function nameOfPassword(username: string): Html {
  return html`<input type="text" name="username" value="${username}" autocomplete="username" readonly hidden>`;
}

export function passwordField(
  context: PageContext,
  given: { label: HtmlValue; hint?: HtmlValue; id?: string; name?: string } & { isNew: boolean },
): Html {
  const { label, hint, isNew, name = 'password', id = name } = given;
  return field({
    name,
    id,
    label,
    hint,
    after: showButton(context, id),
    attributes: html`type="password" autocomplete="${isNew ? 'new-password' : 'current-password'}" maxlength="1000" dir="ltr" ${isNew && html`data-strengths="${context.say('passwordStrengths').text}"`}`,
  });
}

export function codeField(label: HtmlValue, id = 'code', isOptional = false): Html {
  return field({
    name: 'code',
    id,
    label,
    isOptional,
    attributes: html`autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="40" dir="ltr"`,
  });
}
