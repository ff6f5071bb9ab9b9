/**
 * The script of the page for frames. It tells the page around it what happens here, by messages that a browser hands over to
 * the origin that the server has written into the page, and to no other.
 */
function tell(message: unknown): void {
  const { parent } = document.body.dataset;
  if (parent && window.parent !== window) window.parent.postMessage(message, parent);
}

let told: string | undefined;

/** Tells the status once it has changed. */
function tellStatus(): void {
  const message = document.querySelector('main')?.dataset.message;
  if (!message || message === told) return;
  told = message;
  tell(JSON.parse(message));
}

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('#close')) tell('close');
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && document.getElementById('close')) tell('close');
});
// The page's script replaces `main` at every change.
new MutationObserver(tellStatus).observe(document.body, { childList: true });
new ResizeObserver(() => tell({ height: Math.ceil(document.body.offsetHeight) })).observe(document.body);
tell('loaded');
tellStatus();
