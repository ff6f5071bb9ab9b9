import { announce, byId, mainPart } from './dom.ts';

/**
 * Replaces `main` by the one of a newly fetched document; returns whether anything has changed. What the
 * customer typed, opened and focused stays. A new state is announced once.
 */
export function swapMain(fresh: Document): boolean {
  const main = mainPart();
  const next = fresh.querySelector('main');
  if (!next || keyOf(next) === keyOf(main)) return false;
  // The coin of a new screen is struck: its customer has not seen it before.
  if (next.dataset.screen !== main.dataset.screen) next.dataset.fresh = '';
  const before = newsOf(main);
  const restoreInput = rememberInput(main);
  main.replaceWith(next);
  document.title = fresh.title;
  restoreInput();
  if (newsOf(next) !== before) announce(sentenceOf(next));
  return true;
}

/** A page changes when its payment's version does. Time alone may change its screen too. */
function keyOf({ dataset }: HTMLElement): string {
  return `${dataset.version} ${dataset.screen}`;
}

/** What is announced when it changes: the state and the received amount, but not each confirmation. */
function newsOf({ dataset }: HTMLElement): string {
  return `${dataset.screen} ${dataset.received}`;
}

function sentenceOf(main: HTMLElement): string {
  return main.querySelector('h1')?.textContent ?? '';
}

function rememberInput(main: HTMLElement): () => void {
  const focused = main.contains(document.activeElement) ? (document.activeElement?.id ?? '') : null;
  const disclosures = [...main.querySelectorAll('details')];
  const fields = [...main.querySelectorAll<HTMLInputElement>('input[id], select[id], textarea[id]')];
  return () => {
    for (const old of disclosures) {
      const same = byId<HTMLDetailsElement>(old.id);
      if (same) same.open = old.open;
    }
    for (const old of fields) {
      const same = byId<HTMLInputElement>(old.id);
      if (!same) continue;
      if (old.type === 'radio') same.checked = old.checked;
      else same.value = old.value;
    }
    // If the focused element is gone, the focus moves to the sentence about the state.
    if (focused !== null) (byId(focused) ?? byId('state'))?.focus({ preventScroll: true });
  };
}
