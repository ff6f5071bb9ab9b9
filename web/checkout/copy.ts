import { announce } from './dom.ts';

const COPIED_MS = 2_000;

/** Copies a button's value and shows for a moment on the button that it was copied. */
export async function copyFrom(button: HTMLElement): Promise<void> {
  const { copy: value = '', copied = '' } = button.dataset;
  const label = button.querySelector('span');
  const before = label?.textContent;
  if (!label || before === copied) return;
  await copyText(value);
  label.textContent = copied;
  // In a list of steps, the next step is highlighted now.
  button.closest('.steps > li')?.classList.add('copied');
  announce(copied);
  setTimeout(() => {
    label.textContent = before ?? '';
  }, COPIED_MS);
}

/** Pages on plain http have no clipboard API, and in a frame of another site browsers refuse it. */
async function copyText(value: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    copyBySelection(value);
  }
}

function copyBySelection(value: string): void {
  const area = document.createElement('textarea');
  area.value = value;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
