import { messageOf } from '../api/api-error.ts';
import { endPasskeyAutofill, passkeyHindrance, signInByPasskey } from '../api/passkeys.ts';
import { t } from '../texts/t.ts';
import { buttonClass } from '../ui/button/button-class.ts';
import { drawing, icons } from './drawings.ts';
import { banner, element, isBusy, setBusy } from './elements.ts';

export type PasskeyDoor = { part: HTMLElement | null; end: () => void };

const orClass =
  'flex items-center gap-3 text-sm text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line';

/**
 * Signs in with a passkey, by a button or by the suggestions of the address field. Without support for passkeys there is
 * no button. `end` ends the suggestions.
 */
export function passkeyDoor(onSignedIn: () => Promise<never>): PasskeyDoor {
  if (passkeyHindrance() !== null) return { part: null, end: () => {} };
  const icon = drawing(icons.key, 18, 'shrink-0');
  const look = buttonClass('quiet', 'large');
  const button = element('button', { type: 'button', class: look }, icon, t('Sign in with a passkey'));
  const part = element('div', { class: 'grid gap-4' }, element('p', { class: orClass }, t('or')), button);

  async function signIn(autofill: boolean): Promise<void> {
    part.querySelector('[role=alert]')?.remove();
    try {
      if (await signInByPasskey({ autofill })) await onSignedIn();
    } catch (error) {
      button.before(banner('lost', messageOf(error), 'alert'));
    }
  }

  button.addEventListener('click', async () => {
    if (isBusy(button)) return;
    setBusy(button, true);
    await signIn(false);
    setBusy(button, false);
  });
  void signIn(true);
  return { part, end: () => void endPasskeyAutofill() };
}
