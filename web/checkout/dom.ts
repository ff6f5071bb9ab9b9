/** Functions on the document that the page's modules share. */

/** The part of the page that changes with the state. It is replaced as a whole, so do not keep the element. */
export function mainPart(): HTMLElement {
  return document.querySelector('main') ?? document.body;
}

export function byId<E extends HTMLElement = HTMLElement>(id: string): E | null {
  return document.getElementById(id) as E | null;
}

/** An element's message template, which the server wrote in the page's language, with its value filled in. */
export function messageOf(element: HTMLElement, name: string, value: string): string {
  return (element.dataset.template ?? '').replace(`{${name}}`, value);
}

/** Announces a text once to screen readers. */
export function announce(text: string): void {
  const announcer = byId('announcer');
  if (announcer) announcer.textContent = text;
}
