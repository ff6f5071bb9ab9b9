/** A colour as `#rrggbb`, in lower case. */
export type Color = string;

/** The colour of a brand as the page shows it: on light and on dark paper, and both while a pointer is over them. */
export type BrandColors = { light: Color; dark: Color; lightStrong: Color; darkStrong: Color };

/** The backgrounds of the pages, as in `web/tokens.css`: texts and buttons in the brand's colour are on each of them. */
export const papers = {
  light: ['#fbfaf7', '#ffffff', '#f4f2ec', '#f6eedb', '#e8f2ea', '#faf0dc', '#faeae8'],
  dark: ['#141310', '#1c1b17', '#24221d', '#2d2515', '#1b2b20', '#331d1a'],
} as const;

/** What texts need to be read by people who see little (WCAG 2.2, AA). */
const leastContrast = 4.5;
const strongPart = 0.18;

type Channels = [red: number, green: number, blue: number];

/** The colour that somebody wrote, or null: only `#rrggbb` is one. */
export function colorOf(text: string): Color | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
}

/**
 * The nearest colours that can be read on every paper of the pages: mixed with black for light paper and with white for dark
 * paper, as little as that takes. What stands on a button in them is white on light paper and nearly black on dark paper,
 * which differ from them by more than the papers do.
 */
export function brandColors(color: Color): BrandColors {
  const light = readable(color, '#000000', papers.light);
  const dark = readable(color, '#ffffff', papers.dark);
  return {
    light,
    dark,
    lightStrong: mixed(light, '#000000', strongPart),
    darkStrong: mixed(dark, '#ffffff', strongPart),
  };
}

/** The colour of a shop's button in a mail, which is on light paper; nothing: the mail's own. */
export function mailAccent(color: Color | null): { accent?: Color } {
  return color === null ? {} : { accent: brandColors(color).light };
}

/** How much two colours differ, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: Color, other: Color): number {
  const [less = 0, more = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

/** The more there is of black or white, the more it differs from every paper, so halving finds the least part. */
function readable(color: Color, end: Color, on: readonly Color[]): Color {
  const isReadable = (part: number) =>
    on.every((paper) => contrastOf(mixed(color, end, part), paper) >= leastContrast);
  if (isReadable(0)) return color;
  let [tooLittle, enough] = [0, 1];
  for (let step = 0; step < 8; step += 1) {
    const half = (tooLittle + enough) / 2;
    if (isReadable(half)) enough = half;
    else tooLittle = half;
  }
  return mixed(color, end, enough);
}

/** `part` of `end`, and the rest of `color`. */
function mixed(color: Color, end: Color, part: number): Color {
  const [from, to] = [channelsOf(color), channelsOf(end)];
  const both = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part));
  return `#${both.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: Color): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: Color): Channels {
  const bits = Number.parseInt(color.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
}
