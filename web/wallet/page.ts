/** The script of the wallet's pages. The pages work without it. */
import { copyFrom } from '../checkout/copy.ts';
import { showPassword } from '../checkout/show-password.ts';
import { offerPasskeys } from './passkeys.ts';
import { measurePasswords } from './strength.ts';

function onClick(event: Event): void {
  const button = (event.target as Element).closest<HTMLElement>('button');
  if (button?.dataset.copy) void copyFrom(button);
  if (button?.dataset.show !== undefined) showPassword(button);
}

/** Stops a second press from sending the form again. */
function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
}

/** Forms may be sent again after the back button has shown the page again. */
function onPageShow(): void {
  for (const form of document.forms) form.ariaBusy = null;
}

/** Removes the notice from the address, so that a reload does not show it again. */
function dropNotice(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('notice')) return;
  address.searchParams.delete('notice');
  history.replaceState(history.state, '', address);
}

/** Opens the disclosure that the address names, and the one that a fault is about. */
function openNamed(): void {
  const named = location.hash === '' ? null : document.querySelector(location.hash);
  named?.parentElement?.querySelector('details')?.setAttribute('open', '');
}

document.addEventListener('click', onClick);
document.addEventListener('submit', onSubmit);
window.addEventListener('pageshow', onPageShow);
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
