import { announce } from './dom.ts';

const COPIED_MS = 2_000;

/** Copies a button's value and says so on the button for a moment. */
export async function copyFrom(button: HTMLElement): Promise<void> {
  const { copy: value = '', copied = '' } = button.dataset;
  const label = button.querySelector('span');
  const before = label?.textContent;
  if (!label || before === copied) return;
  if (navigator.clipboard) await navigator.clipboard.writeText(value);
  else copyBySelection(value);
  label.textContent = copied;
  // Where copying is one step of several, the next one stands out now.
  button.closest('.steps > li')?.classList.add('copied');
  announce(copied);
  setTimeout(() => {
    label.textContent = before ?? '';
  }, COPIED_MS);
}

/** For pages on plain http, where browsers offer no clipboard. */
function copyBySelection(value: string): void {
  const area = document.createElement('textarea');
  area.value = value;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
