import { t } from '../texts/t.ts';
import { buttonClass } from '../ui/button/button-class.ts';
import { boxClass } from '../ui/form/box-class.ts';
import { type Fault, type FormValues, faultOf, valuesOf } from '../ui/form/fault.ts';
import { brokenRules } from '../ui/form/own-rules.ts';
import { banner, element, isBusy, setBusy } from './elements.ts';

export type Field = { group: HTMLElement; input: HTMLInputElement };

type FieldOptions = {
  name: string;
  label: string;
  /** One sentence below the box. */
  help?: string;
  /** For codes: monospace, and nothing corrected. */
  code?: boolean;
  /** Further attributes of the box. */
  box?: Readonly<Record<string, string>>;
};

/** A required box with its label above and its help below, joined for screen readers. */
export function field({ name, label, help, code = false, box = {} }: FieldOptions): Field {
  const input = element('input', {
    id: name,
    name,
    required: true,
    'aria-describedby': help === undefined ? undefined : `${name}-help`,
    class: `${boxClass} h-10${code ? ' font-mono' : ''}`,
    ...(code ? { spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' } : {}),
    ...box,
  });
  const group = element(
    'div',
    { class: 'grid min-w-0 gap-1.5' },
    element('label', { for: name, class: 'text-sm font-semibold' }, label),
    input,
    help === undefined ? null : element('p', { id: `${name}-help`, class: 'text-sm text-quiet' }, help),
  );
  return { group, input };
}

/** A password, which can be shown while it is typed. */
export function passwordField(): Field {
  const box = {
    type: 'password',
    autocomplete: 'current-password',
    spellcheck: 'false',
    autocapitalize: 'off',
  };
  const { group, input } = field({ name: 'password', label: t('Password'), box });
  const show = linkButton(t('Show the password'), () => {
    input.type = input.type === 'password' ? 'text' : 'password';
    show.setAttribute('aria-pressed', `${input.type === 'text'}`);
  });
  show.setAttribute('aria-pressed', 'false');
  group.append(element('div', {}, show));
  return { group, input };
}

/** A button that looks like a link. */
export function linkButton(words: string, press: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: buttonClass('link') }, words);
  button.addEventListener('click', press);
  return button;
}

/**
 * A form whose fields show their own faults. `onSend` sends what was filled in; what it throws is shown at the fields that
 * it names, else above the fields.
 */
export function form(
  label: string,
  parts: readonly Node[],
  onSend: (values: FormValues) => Promise<void>,
): HTMLFormElement {
  const button = element('button', { type: 'submit', class: buttonClass('primary', 'large') }, t('Sign in'));
  const made = element(
    'form',
    { class: 'grid gap-5', 'aria-label': label, novalidate: true },
    ...parts,
    button,
  );
  made.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy(button)) return;
    clearFault(made);
    const faults = brokenRules(made);
    if (Object.keys(faults).length > 0) return showFault(made, { message: '', faults });
    setBusy(button, true);
    try {
      await onSend(valuesOf(made));
    } catch (error) {
      showFault(made, faultOf(error, made));
    }
    setBusy(button, false);
  });
  return made;
}

function clearFault(form: HTMLFormElement): void {
  for (const note of form.querySelectorAll('[role=alert], [data-fault]')) note.remove();
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    describe(input, null);
  }
}

function showFault(form: HTMLFormElement, { message, faults }: Fault): void {
  if (message) {
    const alert = banner('lost', message, 'alert');
    form.prepend(alert);
    alert.scrollIntoView({ block: 'nearest' });
  }
  const wrong = Object.entries(faults).flatMap(([name, words]) => {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return [];
    const id = `${name}-fault`;
    input.setAttribute('aria-invalid', 'true');
    describe(input, id);
    const look = 'text-sm font-semibold text-lost';
    input.parentElement?.append(element('p', { id, 'data-fault': true, class: look }, words));
    return [input];
  });
  wrong[0]?.focus();
}

/** Joins a box to its help, and to its fault where it has one. */
function describe(input: Element, fault: string | null): void {
  const help = `${input.id}-help`;
  const notes = [document.getElementById(help) && help, fault].filter((note) => note !== null);
  if (notes.length > 0) input.setAttribute('aria-describedby', notes.join(' '));
  else input.removeAttribute('aria-describedby');
}
