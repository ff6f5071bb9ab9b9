import { type Html, html, trusted } from '../kit/http/html.ts';

/** Line drawings on a 24 px grid, in the colour of their text. */
const SHAPES = {
  coins: '<circle cx="9" cy="9" r="6"/><path d="M17.5 9.4A6 6 0 1 1 9.4 17.5"/>',
  send: '<path d="M7 17 17 7M8.5 7H17v8.5"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  half: '<circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8 12.3 2.7 2.7L16 9.5"/>',
  cross: '<circle cx="12" cy="12" r="9"/><path d="m9 9 6 6m0-6-6 6"/>',
  minus: '<circle cx="12" cy="12" r="9"/><path d="M8 12h8"/>',
  question:
    '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.2.9-1.2 1.7M12 17v.01"/>',
  wallet:
    '<path d="M4 7.5V17a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V9H6a2 2 0 0 1-2-2 2 2 0 0 1 2-2h11v4M16 14v.01"/>',
} as const;

/** The florin of the family: the same coin as that of the dashboard, large. It is decoration too. */
export const florin = html`<svg class="florin" width="64" height="64" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="15" fill="currentColor"/><g fill="none" stroke="var(--surface)"><circle cx="16" cy="16" r="11.5" stroke-width="1.2" stroke-dasharray="1 1.6"/><path d="M13 23V11.6c0-1.7 1.1-2.9 2.9-2.9h3.6M10.9 15.4h7" stroke-width="2.2" stroke-linecap="round"/></g></svg>`;

export type IconName = keyof typeof SHAPES;

/** Draws an icon. It is decoration: the text beside it says the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${trusted(SHAPES[name])}</svg>`;
}
