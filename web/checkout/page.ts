/**
 * The hosted page's script. The page works without it. With it the page replaces `main` by a new one from the server
 * at every change, copies values, counts down, and shows the time left.
 */
import { setClock, startClocks, stopCountdown, tick } from './clocks.ts';
import { copyFrom } from './copy.ts';
import { mainPart } from './dom.ts';
import { dropNotice, sendFormsOnce } from './forms.ts';
import { follow, refresh } from './live.ts';
import { offerWallet, rememberWallet } from './open-wallet.ts';

const TICK_MS = 1_000;

function enhance(): void {
  startClocks();
  offerWallet();
  tick(refresh);
  void loadPayScript();
}

/**
 * Loads the wallet script or the Pi script, where the page has a part for it; most pages have none. With `isPressed`
 * the button was pressed before its script was loaded, and the press takes effect afterwards.
 */
async function loadPayScript(isPressed = false): Promise<void> {
  const script = payPart()?.dataset.script;
  if (!script) return;
  const { offer, press } = (await import(script)) as typeof import('./wallet.ts') | typeof import('./pi.ts');
  // The page may have changed while the script was loading.
  const part = payPart();
  if (part?.dataset.script !== script) return;
  offer(part);
  if (isPressed) press();
}

function payPart(): HTMLElement | null {
  return mainPart().querySelector('[data-script]');
}

function onClick(event: Event): void {
  const pressed = (event.target as Element).closest<HTMLElement>('button, a');
  if (pressed?.dataset.wallet !== undefined) rememberWallet(pressed.dataset.wallet);
  if (pressed?.dataset.copy) void copyFrom(pressed);
  if (pressed?.dataset.press !== undefined) void loadPayScript(true);
}

document.addEventListener('click', onClick);
// Nobody who does anything here is led away; what reads the page aloud may click without a pointer.
for (const touch of ['pointerdown', 'keydown', 'wheel', 'focusin', 'click'])
  document.addEventListener(touch, stopCountdown);
sendFormsOnce();
setInterval(() => tick(refresh), TICK_MS);
// As on a new screen: a form has led here.
if (location.hash === '#new') mainPart().dataset.fresh = '';
dropNotice();
setClock(mainPart());
enhance();
follow(enhance);
// What needs this script can be pressed from now on: a press before would be lost.
document.documentElement.dataset.scripted = '';
