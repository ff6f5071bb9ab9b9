/** The script of the wallet's pages. The pages work without it. */
import { copyFrom } from '../checkout/copy.ts';
import { dropNotice, sendFormsOnce } from '../checkout/forms.ts';
import { showPassword } from '../checkout/show-password.ts';
import { offerPasskeys } from './passkeys.ts';
import { measurePasswords } from './strength.ts';

function onClick(event: Event): void {
  const button = (event.target as Element).closest<HTMLElement>('button');
  if (button?.dataset.copy) void copyFrom(button);
  if (button?.dataset.show !== undefined) showPassword(button);
}

/** Opens the disclosure that the address names, and the one that a fault is about. */
function openNamed(): void {
  const named = location.hash === '' ? null : document.querySelector(location.hash);
  named?.parentElement?.querySelector('details')?.setAttribute('open', '');
}

document.addEventListener('click', onClick);
sendFormsOnce();
dropNotice();
openNamed();
measurePasswords();
offerPasskeys();
if ('serviceWorker' in navigator && isSecureContext) {
  const scope = `${document.body.dataset.wallet}/`;
  // Without it the pages work as before; they are only not shown offline.
  navigator.serviceWorker.register(`${scope}worker.js`, { scope }).catch(() => {});
}
document.documentElement.dataset.scripted = '';
