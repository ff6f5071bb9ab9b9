/** A place of the index: its address, page, heading, and the other words that are found there. */
type Place = [address: string, page: string, heading: string, words: string];

let index: Promise<Place[]> | undefined;

/** The places that have every word of the question, or one that begins with it; those with it in their heading first. */
export function findPlaces(places: readonly Place[], question: string): Place[] {
  const asked = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (asked.length === 0) return [];
  const worthOf = ([, page, heading, words]: Place): number => {
    const title = ` ${page} ${heading}`.toLowerCase();
    const all = ` ${words}`;
    let worth = 0;
    for (const word of asked) {
      if (` ${heading.toLowerCase()}`.includes(` ${word}`)) worth += 8;
      else if (title.includes(word)) worth += 4;
      else if (`${all} `.includes(` ${word} `)) worth += 2;
      else if (all.includes(` ${word}`)) worth += 1;
      else return 0;
    }
    return worth;
  };
  return places
    .map((place) => ({ place, worth: worthOf(place) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, 12)
    .map(({ place }) => place);
}

function linkOf([address, page, heading]: Place): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = address;
  const of = document.createElement('small');
  of.textContent = page;
  link.append(heading, of);
  return link;
}

/** Shows the search, which loads its index when it is used first. */
export function openSearch(announce: (text: string) => void): void {
  const box = document.querySelector<HTMLElement>('search');
  const field = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector<HTMLElement>('#found');
  if (!box || !field || !found) return;
  box.hidden = false;
  const load = () => {
    index ??= fetch(document.body.dataset.index ?? '').then((answer) => answer.json());
    return index;
  };
  field.addEventListener('focus', load);
  field.addEventListener('input', async () => {
    const places = findPlaces(await load(), field.value);
    const isAsked = field.value.trim() !== '';
    found.hidden = !isAsked;
    found.replaceChildren(...(isAsked && places.length === 0 ? ['Nothing found'] : places.map(linkOf)));
    if (isAsked) announce(`${places.length} results`);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') found.querySelector('a')?.click();
    if (event.key === 'Escape') found.hidden = true;
    if (event.key === 'ArrowDown') found.querySelector('a')?.focus();
  });
  found.addEventListener('keydown', (event) => {
    const { activeElement } = document;
    const next =
      event.key === 'ArrowDown' ? activeElement?.nextElementSibling : activeElement?.previousElementSibling;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    ((next as HTMLElement | null) ?? field).focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (!box.contains(target as Node)) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  });
}
