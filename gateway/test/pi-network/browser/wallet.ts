const copiedMs = 2_000;

// Without this script nobody could copy by a button, so it is what shows them.
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copyFrom(button));
}

async function copyFrom(button: HTMLButtonElement): Promise<void> {
  const before = button.textContent;
  if (before === 'Copied') return;
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  button.textContent = 'Copied';
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = before;
  }, copiedMs);
}
