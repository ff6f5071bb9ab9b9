import { isRefusal, messageOf } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { t } from '../texts/t.ts';
import { element, heading } from './elements.ts';
import { enter } from './enter.ts';
import { type Field, field, form, linkButton } from './form.ts';
import type { Step } from './step.ts';

type CodeStepOptions = {
  next: string | undefined;
  isRecovery: boolean;
  onOther: () => void;
  /** `fault` says why, if the person did not ask for it. */
  onStartAgain: (fault: string | null) => void;
};

/** The second step: a code of the authenticator app, or one of the recovery codes. */
export function codeStep({ next, isRecovery, onOther, onStartAgain }: CodeStepOptions): Step {
  const title = isRecovery ? t('Enter a recovery code') : t('Enter your code');
  const { group, input } = isRecovery ? recoveryField() : codeField();

  async function send({ code }: Record<string, string>): Promise<void> {
    try {
      await api(`/console/auth/sign-in/${isRecovery ? 'recovery-code' : 'code'}`, { body: { code } });
    } catch (error) {
      if (!isRefusal(error, 'sign_in_expired')) throw error;
      return onStartAgain(messageOf(error));
    }
    await enter(next);
  }

  return {
    title,
    parts: [
      heading(
        title,
        isRecovery
          ? t('One of the ten codes that you stored when you turned two-factor sign-in on. Each works once.')
          : t('Your password is right. Now enter the six digits that your authenticator app shows.'),
      ),
      form(t('Second step'), [group], send),
      element(
        'div',
        { class: 'flex flex-wrap justify-between gap-x-6 gap-y-3' },
        linkButton(isRecovery ? t('Use the authenticator app') : t('Use a recovery code'), onOther),
        linkButton(t('Start again'), () => onStartAgain(null)),
      ),
    ],
    focus: input,
    end: () => {},
  };
}

function recoveryField(): Field {
  const box = { autocomplete: 'off', maxlength: '30' };
  return field({ name: 'code', label: t('Recovery code'), code: true, box });
}

/** The six digits of an authenticator app. */
function codeField(): Field {
  const box = {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9 ]{6,7}',
    'data-wrong': t('Write the six digits.'),
    maxlength: '7',
  };
  const help = t('From your authenticator app.');
  return field({ name: 'code', label: t('Six-digit code'), help, code: true, box });
}
