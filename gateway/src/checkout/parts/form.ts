import { type Html, type HtmlValue, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { FormAction } from '../sections.ts';

/** A form that posts to one of the page's calls, with the values that name the payment and the language. */
export function postForm(
  context: PageContext,
  action: FormAction,
  content: Html,
  id = `${action}-form`,
): Html {
  return html`<form method="post" action="${context.path}/${action}" id="${id}">${hiddenInputs({ ...context.fields, lang: context.locale })}${content}</form>`;
}

/** Shows the password in the field with this id. */
export function showButton({ t }: Pick<PageContext, 't'>, id: string): Html {
  return html`<button type="button" class="show needs-script" data-show aria-controls="${id}" aria-pressed="false">${t('showPassword')}</button>`;
}

/** A labelled text field. */
export function field(name: string, label: string, attributes: Html, after?: Html | null): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" required ${attributes}>${after}</div>`;
}

/** A disclosure whose open state the page's script keeps across changes. */
export function disclosure(id: string, summary: HtmlValue, content: Html, isOpen = false): Html {
  return html`<details id="${id}"${isOpen && html` open`}><summary id="${id}-summary"><span>${summary}</span></summary><div class="disclosed">${content}</div></details>`;
}

function hiddenInputs(values: Record<string, string>): Html[] {
  return Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}
