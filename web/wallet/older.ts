import { announce } from '../checkout/dom.ts';

/** Puts older lines below those of the page in place of leading to a page of their own. */
export async function showOlder(link: HTMLAnchorElement): Promise<void> {
  const days = document.querySelector('#days');
  const older = link.closest('.older');
  if (!days || !older || link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  try {
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [first, ...rest] = page.querySelectorAll('#days > .day');
    if (!answer.ok || !first) throw new Error(`${answer.status}`);
    const focused = append(days, first);
    days.append(...rest);
    const next = page.querySelector('.older');
    if (next) older.replaceWith(next);
    else older.remove();
    focused?.focus();
    announce(focused?.textContent ?? '');
  } catch {
    // The session has ended, or there is no connection: the page of the link says which.
    location.href = link.href;
  }
}

/** Adds a day, or its lines to the same day where the page ends with it; returns the link of its first line. */
function append(days: Element, day: Element): HTMLAnchorElement | null {
  const link = day.querySelector<HTMLAnchorElement>('.lines a');
  const last = days.lastElementChild as HTMLElement | null;
  const isSame = last?.dataset.day === (day as HTMLElement).dataset.day;
  const lines = last?.querySelector('.lines');
  if (isSame && lines) lines.append(...day.querySelectorAll('.lines > li'));
  else days.append(day);
  return link;
}
