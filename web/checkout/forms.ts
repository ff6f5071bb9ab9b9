/** Stops a second press from sending a form again, and lets it be sent again where the back button shows the page. */
export function sendFormsOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.ariaBusy === 'true') event.preventDefault();
    form.ariaBusy = 'true';
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) form.ariaBusy = null;
  });
}

/** Removes the notice and the mark of a new state from the address, so that neither a reload nor a change shows them again. */
export function dropNotice(): void {
  const address = new URL(location.href);
  address.searchParams.delete('notice');
  address.hash = '';
  history.replaceState(history.state, '', address);
}
