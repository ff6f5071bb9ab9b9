import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './markdown-table.ts';

/** A colour of the family in both modes, as six hexadecimal digits, with what it is for. */
type Colour = { name: string; light: string; dark: string };

/** What each colour is for; those on which text stands are compared with what is written on them. */
const uses: Record<string, string> = {
  paper: 'behind everything',
  surface: 'cards, tables and fields, on the paper',
  sunken: 'code, and what lies in a card',
  ink: 'text',
  'ink-quiet': 'text of less weight: labels, hints, times',
  line: 'between rows and around cards',
  'line-strong': 'around what can be pressed or typed into',
  accent: 'the one filled button, marks',
  gold: 'the coin, whatever colour a shop has',
  'accent-strong': 'links, and text in gold',
  'on-accent': 'text on gold',
  'accent-soft': 'behind what is chosen',
  paid: 'paid, done',
  'paid-soft': 'behind it',
  waiting: 'waiting, look at this',
  'waiting-soft': 'behind it',
  lost: 'failed, refused, cannot be taken back',
  'lost-soft': 'behind it',
  'on-lost': 'text on it',
  test: 'the stripes of test mode',
  'on-test': 'text on them',
};

/** Text colours by what they stand on, where that is not paper. */
const grounds: Record<string, string> = { 'on-accent': 'accent', 'on-lost': 'lost', 'on-test': 'test' };
const texts = ['ink', 'ink-quiet', 'accent-strong', 'paid', 'waiting', 'lost', ...Object.keys(grounds)];

/** The colours of `web/tokens.css`. One that the dark mode does not name is the same there. */
export function readColours(): Colour[] {
  const css = readFileSync(join(import.meta.dirname, '../web/tokens.css'), 'utf8');
  const [ofLight = '', ofDark = ''] = css.split('prefers-color-scheme: dark');
  const valuesOf = (part: string) =>
    new Map(
      [...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
    );
  const [light, dark] = [valuesOf(ofLight), valuesOf(ofDark)];
  return [...light].map(([name, value]) => ({ name, light: value, dark: dark.get(name) ?? value }));
}

/** How bright a colour is, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The least contrast of each colour of text with what it may stand on, in one mode. */
export function textContrasts(mode: 'light' | 'dark'): { name: string; contrast: number }[] {
  const colours = readColours();
  const colourOf = (name: string) => colours.find((each) => each.name === name)?.[mode] ?? '';
  return texts.map((name) => {
    const below = grounds[name] ? [grounds[name]] : ['paper', 'surface'];
    return {
      name,
      contrast: Math.min(...below.map((ground) => contrastOf(colourOf(name), colourOf(ground)))),
    };
  });
}

/** Every colour with its values, what it is for and, of text, its contrasts, for docs/look.md. */
export function coloursTable(): string {
  const [light, dark] = [textContrasts('light'), textContrasts('dark')];
  const contrast = (all: typeof light, name: string) =>
    all.find((each) => each.name === name)?.contrast.toFixed(1);
  const rows = readColours().map(({ name, ...values }) => {
    const ofText = contrast(light, name);
    const pair = ofText === undefined ? '' : `${ofText} and ${contrast(dark, name)}`;
    return [`\`--${name}\``, `\`${values.light}\``, `\`${values.dark}\``, uses[name] ?? '', pair];
  });
  return table(['token', 'light', 'dark', 'for', 'contrast'], rows);
}
