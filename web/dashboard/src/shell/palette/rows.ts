/**
 * Goes to the next row (1) or the one before (-1) of the page's list. While a drawer is open, it shows that row; else the
 * row's link takes the focus.
 */
export function walkRows(step: 1 | -1): boolean {
  const drawer = document.querySelector('[role=dialog][data-drawer]');
  const chosen = document.querySelector('main tr[aria-current=true]');
  const focused = document.activeElement?.closest('main tr') ?? null;
  const here = drawer ? chosen : (focused ?? chosen);
  const table = here?.closest('table') ?? document.querySelector('main table:has(.row-link)');
  if (!table) return false;
  const links = [...table.querySelectorAll<HTMLElement>('tbody .row-link')].filter(isShown);
  const at = links.findIndex((link) => here?.contains(link));
  const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step];
  if (!next) return false;
  if (drawer) next.click();
  else next.focus();
  next.closest('tr')?.scrollIntoView({ block: 'nearest' });
  return true;
}

/** A row may have a link for wide and one for narrow screens. */
const isShown = (link: HTMLElement): boolean => link.getClientRects().length > 0;
