/** Small steps in the document that the page's modules share. */

/** The part of the page that changes with the state; swapped as a whole, so asked for anew each time. */
export function mainPart(): HTMLElement {
  return document.querySelector('main') ?? document.body;
}

export function byId<E extends HTMLElement = HTMLElement>(id: string): E | null {
  return document.getElementById(id) as E | null;
}

/** An element's own message, which the server wrote in the page's language, with a value put in. */
export function messageOf(element: HTMLElement, name: string, value: string): string {
  return (element.dataset.template ?? '').replace(`{${name}}`, value);
}

/** Says something once to screen readers. */
export function announce(text: string): void {
  const announcer = byId('announcer');
  if (announcer) announcer.textContent = text;
}
