import type { LinkData } from './queries.ts';

// A button for a page of the merchant's: one element with its own look, so that it needs no script, style sheet or picture.

export const buttonLooks = ['filled', 'outlined', 'soft'] as const;
export type ButtonLook = (typeof buttonLooks)[number];

export type PageButton = {
  look: ButtonLook;
  /** As `#rrggbb`; what is written on it or in it is chosen so that it can be read. */
  colour: string;
  /** What the button says. */
  words: string;
};

const shape = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: '8px',
  padding: '10px 18px',
  borderRadius: '10px',
  font: '600 16px/24px system-ui,sans-serif',
  textDecoration: 'none',
} as const;

/** The style of the button, by the names that scripts have for its properties. */
export function buttonStyle({ look, colour }: Pick<PageButton, 'look' | 'colour'>) {
  const background = { filled: colour, outlined: white, soft: mixed(colour, white, 0.88) }[look];
  const border = `2px solid ${look === 'outlined' ? colour : background}`;
  return {
    ...shape,
    border,
    background,
    color: look === 'filled' ? inkOn(colour) : readable(colour, background),
  };
}

/** The letter on the coin, in an SVG of 32 by 32. */
export const coinLetter = 'M13 23V11.6c0-1.7 1.1-2.9 2.9-2.9h3.6M10.9 15.4h7';

/** The coin: in the colour of the words, struck in that of the ground. */
function coinHtml(ground: string): string {
  const ring = '<circle cx="16" cy="16" r="11.5" stroke-width="1.5" stroke-dasharray="1 1.6"/>';
  const letter = `<path d="${coinLetter}" stroke-width="2.4" stroke-linecap="round"/>`;
  const struck = `<g fill="none" stroke="${ground}">${ring}${letter}</g>`;
  const disc = '<circle cx="16" cy="16" r="15" fill="currentColor"/>';
  return `<svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">${disc}${struck}</svg>`;
}

/** The button as HTML, to be pasted into a page. */
export function buttonHtml({ url }: Pick<LinkData, 'url'>, button: PageButton): string {
  const style = buttonStyle(button);
  const css = Object.entries(style)
    .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';');
  return `<a href="${escaped(url)}" style="${css}">${coinHtml(style.background)}${escaped(button.words)}</a>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const white = '#ffffff';
const black = '#000000';
/** What WCAG asks of text of this size. */
const leastContrast = 4.5;

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** `share` of `other` in a colour. */
function mixed(colour: string, other: string, share: number): string {
  const [one, two] = [channels(colour), channels(other)];
  const parts = one.map((part, at) => Math.round(part * (1 - share) + (two[at] ?? 0) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The relative luminance of WCAG. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, two: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Whichever of white and black can be read better on a colour. */
const inkOn = (colour: string): string =>
  contrast(colour, white) >= contrast(colour, black) ? white : black;

/** A colour, darkened until it can be read on a light ground. */
function readable(colour: string, ground: string): string {
  let found = colour;
  for (let share = 0.05; contrast(found, ground) < leastContrast && share <= 1; share += 0.05) {
    found = mixed(colour, black, share);
  }
  return found;
}
