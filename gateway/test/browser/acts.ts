import type { Page } from 'playwright-core';

/** What a person did in a tab: presses of the mouse, and keys that were pressed together as one. Pasting is neither. */
export type Acts = { clicks: number; keys: number };

// As text, because the tests' types know no document. It counts what the browser itself was given, so that no test can
// leave out what it did. Held keys such as Control belong to the key that they are held for.
const counter = `(() => {
  const held = ['Control', 'Shift', 'Alt', 'Meta'];
  const acts = { clicks: 0, keys: 0 };
  const count = (name) => (event) => {
    if (event.isTrusted && !held.includes(event.key)) acts[name] += 1;
  };
  addEventListener('pointerdown', count('clicks'), true);
  addEventListener('keydown', count('keys'), true);
  globalThis.takeActs = () => acts;
})()`;

/** Counts from now on what is done in the open page, which must not be loaded anew; returns how to read the counts. */
export async function countActs(page: Page): Promise<() => Promise<Acts>> {
  await page.evaluate(counter);
  return () => page.evaluate<Acts>('takeActs()');
}

const focused = ['dialog', 'alertdialog', 'menu'].map((role) => `[role=${role}]:focus-within`).join();

/** Presses Escape once what is open on top has the focus: an instant earlier nothing listens for the key. */
export async function pressEscape(page: Page): Promise<void> {
  await page.locator(focused).last().waitFor();
  await page.keyboard.press('Escape');
}
