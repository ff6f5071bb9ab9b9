import type { Answer, Hit } from './find.ts';

const pauseMs = 600;

let finder: Promise<(question: string) => Answer> | undefined;

async function load(): Promise<(question: string) => Answer> {
  const { finder: path = '', index = '' } = document.body.dataset;
  const [{ openFinder }, found]: [typeof import('./find.ts'), Response] = await Promise.all([
    import(path),
    fetch(index),
  ]);
  return openFinder(await found.json());
}

/** Loads the index and what reads it when they are needed first. */
function loadFinder(): Promise<(question: string) => Answer> {
  finder ??= load().catch((fault) => {
    // It is tried again with the next letter.
    finder = undefined;
    throw fault;
  });
  return finder;
}

function small(text: string): HTMLElement {
  const element = document.createElement('small');
  element.textContent = text;
  return element;
}

function linkOf({ address, page, heading, purpose }: Hit): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.append(heading, small(address.includes('#') ? page : purpose));
  item.append(link);
  return item;
}

/** A line over what was found by better words, with a button that writes them into the field. */
function betterLine(better: string, take: (question: string) => void): HTMLElement {
  const line = document.createElement('p');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = better;
  button.addEventListener('click', () => take(better));
  line.append('Did you mean ', button, '?');
  return line;
}

function listOf(hits: readonly Hit[]): HTMLElement {
  if (hits.length === 0) {
    const line = document.createElement('p');
    const all = document.createElement('a');
    all.href = '/docs/';
    all.textContent = 'all pages';
    line.append('Nothing found. Try other words, or look at ', all, '.');
    return line;
  }
  const list = document.createElement('ul');
  list.append(...hits.map(linkOf));
  return list;
}

/** What is said of an answer to people who do not see it. */
function wordsOfAnswer({ hits: [first, ...others], better }: Answer): string {
  if (!first) return 'Nothing found';
  const meant = better === null ? '' : `Did you mean ${better}? `;
  return `${meant}${others.length + 1} found. First: ${first.heading}, ${first.page}`;
}

type Box = { box: HTMLElement; field: HTMLInputElement; found: HTMLElement };

/** The keys by which one walks from the field through what was found and back. */
function walkByKeys({ box, field, found }: Box, open: () => Promise<void>): void {
  field.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    await open();
    found.querySelector<HTMLElement>('li a')?.click();
  });
  box.addEventListener('keydown', (event) => {
    const stops = [field, ...found.querySelectorAll<HTMLElement>('a, button')];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const isInField = at === 0;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ...(!isInField && { Home: 1, End: stops.length - 1 }) }[
      event.key
    ];
    if (event.key === 'Escape') {
      found.hidden = true;
      field.focus();
    }
    if (to === undefined || found.hidden) return;
    event.preventDefault();
    stops[to]?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  });
}

/** Shows the search, which loads its index when it is used first. */
export function openSearch(announce: (text: string) => void): void {
  const box = document.querySelector<HTMLElement>('search');
  const field = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector<HTMLElement>('#found');
  if (!box || !field || !found) return;
  box.hidden = false;
  let pause: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    const question = field?.value ?? '';
    clearTimeout(pause);
    if (question.trim() === '') {
      found?.setAttribute('hidden', '');
      return;
    }
    const find = await loadFinder().catch(() => null);
    // Something else was typed meanwhile, which has an answer of its own.
    if (field?.value !== question) return;
    found?.removeAttribute('hidden');
    if (!find) {
      found?.replaceChildren('The search could not be loaded. Type once more to try again.');
      return;
    }
    const answer = find(question);
    const better = answer.better === null ? [] : [betterLine(answer.better, take)];
    found?.replaceChildren(...better, listOf(answer.hits));
    // Not with each letter: a screen reader would never come to an end.
    pause = setTimeout(() => announce(wordsOfAnswer(answer)), pauseMs);
  }

  function take(question: string): void {
    if (!field) return;
    field.value = question;
    field.focus();
    void ask();
  }

  field.addEventListener('focus', () => {
    loadFinder().catch(() => {});
    if (field.value.trim() !== '') void ask();
  });
  field.addEventListener('input', ask);
  walkByKeys({ box, field, found }, ask);
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget as Node)) found.hidden = true;
  });
  document.addEventListener('click', (event) => {
    // What was pressed may be gone from the page by now.
    if (!event.composedPath().includes(box)) found.hidden = true;
  });
}
