/** Chromium asks the page whether it wants to offer its own button. No standard has the event yet. */
type InstallEvent = Event & { prompt(): Promise<unknown> };

/** Shows the button that installs the pages as an app, once the browser says that it can. */
export function offerInstall(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-install]');
  if (!button) return;
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => {
      button.hidden = true;
      void (event as InstallEvent).prompt();
    };
  });
}
