import type { SignInStep } from '../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../api/client.ts';
import { given, stringifySearch } from '../api/search.ts';
import type { SignInSearch } from '../api/sign-in-address.ts';
import { t } from '../texts/t.ts';
import { buttonClass } from '../ui/button/button-class.ts';
import { banner, element, heading, rich } from './elements.ts';
import { enter } from './enter.ts';
import { field, form, passwordField } from './form.ts';
import { passkeyDoor } from './passkey-door.ts';
import type { Step } from './step.ts';

type PasswordStepOptions = {
  search: SignInSearch;
  /** Why the person is here again. */
  fault: string | null;
  onCodeNeeded: () => void;
};

/** The first step of a sign-in: a password, or a passkey. */
export function passwordStep({ search, fault, onCodeNeeded }: PasswordStepOptions): Step {
  const { next, email = '', done } = search;
  const box = { type: 'email', autocomplete: 'username webauthn' };
  const address = field({ name: 'email', label: t('E-mail address'), box });
  address.input.value = email;
  const password = passwordField();
  const forgotten = link('reset-password', {}, t('Forgot your password?'));
  forgotten.classList.add('justify-self-start');
  const leadToReset = () => {
    forgotten.href = addressOf('reset-password', { email: address.input.value.trim() || undefined });
  };
  address.input.addEventListener('input', leadToReset);
  leadToReset();
  const door = passkeyDoor(() => enter(next));

  async function signIn(values: Record<string, string>): Promise<void> {
    const body = { email: values.email?.trim(), password: values.password };
    const answer = await api<SignInStep>('/console/auth/sign-in', { body });
    const { reset_token: token, two_factor_needed: isCodeNeeded } = answer;
    if (token !== null) return await enter(`/reset-password${stringifySearch({ token, reason: 'weak' })}`);
    if (!isCodeNeeded) return await enter(next);
    onCodeNeeded();
  }

  const leads = next !== undefined && !next.startsWith('/invitation/');
  return {
    title: t('Sign in'),
    parts: [
      heading(t('Sign in')),
      fault === null ? null : banner('lost', fault, 'alert'),
      done === 'password' ? banner('paid', t('Your password is changed. Sign in with it.'), 'status') : null,
      done === 'closed' ? banner('paid', t('Your account is closed'), 'status') : null,
      leads ? banner('info', t('Sign in to continue where you were.')) : null,
      form(
        t('Sign in'),
        [address.group, element('div', { class: 'grid gap-1.5' }, password.group, forgotten)],
        signIn,
      ),
      door.part,
      element(
        'p',
        { class: 'text-sm text-quiet' },
        ...rich('New here? {link}', { link: link('sign-up', { next }, t('Create an account')) }),
      ),
    ],
    focus: email === '' ? address.input : password.input,
    end: door.end,
  };
}

const addressOf = (page: string, search: Record<string, string | undefined>): string =>
  `/app/${page}${stringifySearch(given(search))}`;

function link(page: string, search: Record<string, string | undefined>, words: string): HTMLAnchorElement {
  return element('a', { href: addressOf(page, search), class: buttonClass('link') }, words);
}
