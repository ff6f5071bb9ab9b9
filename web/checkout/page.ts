/**
 * The hosted page's script. The page works without it; it adds what a document alone cannot do: it hears of
 * changes and swaps `main` for a fresh one from the server, copies, counts down, and shows the time left.
 */
import { setClock, startClocks, stopCountdown, tick } from './clocks.ts';
import { copyFrom } from './copy.ts';
import { mainPart } from './dom.ts';
import { follow, refresh } from './live.ts';

const TICK_MS = 1_000;

function enhance(): void {
  startClocks();
  tick(refresh);
  void offerOwnWay();
}

/**
 * Most pages need none, so what pays in the browser, by its wallet or by Pi, is loaded only where it can. A press
 * that came sooner than its script is not lost.
 */
async function offerOwnWay(isPressed = false): Promise<void> {
  const script = ownWay()?.dataset.script;
  if (!script) return;
  const { offer, press } = (await import(script)) as typeof import('./wallet.ts') | typeof import('./pi.ts');
  // The page may have changed while the script came.
  const part = ownWay();
  if (part?.dataset.script !== script) return;
  offer(part);
  if (isPressed) press();
}

function ownWay(): HTMLElement | null {
  return mainPart().querySelector('[data-script]');
}

function onClick(event: Event): void {
  const button = (event.target as Element).closest<HTMLElement>('button');
  if (button?.dataset.copy) void copyFrom(button);
  if (button?.id === 'stay') stopCountdown();
  if (button?.dataset.press !== undefined) void offerOwnWay(true);
}

/** One press is one request. */
function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
}

/** A page that the back button brings back may be sent again. */
function onPageShow(): void {
  for (const form of document.forms) form.ariaBusy = null;
}

/** A notice is said once: neither a reload nor a change of state says it again. */
function dropNotice(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('notice')) return;
  address.searchParams.delete('notice');
  history.replaceState(history.state, '', address);
}

document.addEventListener('click', onClick);
document.addEventListener('submit', onSubmit);
window.addEventListener('pageshow', onPageShow);
setInterval(() => tick(refresh), TICK_MS);
dropNotice();
setClock(mainPart());
enhance();
follow(enhance);
