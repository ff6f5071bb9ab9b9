/** The script of the wallet's pages. The pages work without it. */
import { copyFrom } from '../checkout/copy.ts';
import { dropNotice, sendFormsOnce } from '../checkout/forms.ts';
import { showPassword } from '../checkout/show-password.ts';
import { offerInstall } from './install.ts';
import { showOlder } from './older.ts';
import { offerPasskeys } from './passkeys.ts';
import { measurePasswords } from './strength.ts';

function onClick(event: MouseEvent): void {
  const target = event.target as Element;
  const older = target.closest<HTMLAnchorElement>('a[data-older]');
  // With a key that opens it elsewhere the link does as any other.
  if (older && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    void showOlder(older);
  }
  const button = target.closest<HTMLElement>('button');
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
openNamed();
// Without a notice the address keeps the place that it names.
if (new URL(location.href).searchParams.has('notice')) dropNotice();
measurePasswords();
offerPasskeys();
offerInstall();
if ('serviceWorker' in navigator && isSecureContext) {
  const scope = `${document.body.dataset.wallet}/`;
  // Without it the pages work as before; they are only not shown offline.
  navigator.serviceWorker.register(`${scope}worker.js`, { scope }).catch(() => {});
}
document.documentElement.dataset.scripted = '';
