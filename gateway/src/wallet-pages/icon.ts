import { squarePng } from '../kit/pages/png.ts';

// The coin of the pages on a square of 512: a circle, and an F of three strokes.
const paper = [0xfb, 0xfa, 0xf7];
const gold = [0xc5, 0x8b, 0x12];
const white = [0xff, 0xff, 0xff];
const strokes = [
  { x: [194, 230], y: [150, 344] },
  { x: [194, 324], y: [150, 186] },
  { x: [194, 300], y: [238, 274] },
] as const;

export const iconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="#fbfaf7"/><circle cx="256" cy="256" r="176" fill="#c58b12"/><path d="M212 344V168h112m-112 88h88" fill="none" stroke="#fff" stroke-width="36"/></svg>`;

function colourAt(x: number, y: number): readonly number[] {
  if ((x - 256) ** 2 + (y - 256) ** 2 > 176 ** 2) return paper;
  return strokes.some((each) => x >= each.x[0] && x < each.x[1] && y >= each.y[0] && y < each.y[1])
    ? white
    : gold;
}

const samples = [1 / 6, 3 / 6, 5 / 6];
const corners = [0, 1] as const;

/** The colour of a square that has one; null: an edge goes through it. */
function plainColour(x: number, y: number, side: number): readonly number[] | null {
  const [first = paper, ...others] = corners.flatMap((right) =>
    corners.map((down) => colourAt(x + right * side, y + down * side)),
  );
  return others.every((each) => each === first) ? first : null;
}

/** What nine points of a pixel have on average. */
function mixedColour(x: number, y: number, scale: number): number[] {
  const sum = [0, 0, 0];
  for (const down of samples)
    for (const right of samples)
      colourAt((x + right) * scale, (y + down) * scale).forEach((part, at) => {
        sum[at] = (sum[at] ?? 0) + part;
      });
  return sum.map((part) => Math.round(part / samples.length ** 2));
}

/** The icon as PNG: iPhones accept no other format for their home screens. */
export function iconPng(size: number): Buffer {
  const scale = 512 / size;
  const rows = Buffer.alloc(size * (1 + size * 3));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      // Each row begins with its filter, which is none.
      rows.set(
        plainColour(x * scale, y * scale, scale) ?? mixedColour(x, y, scale),
        y * (1 + size * 3) + 1 + x * 3,
      );
    }
  }
  return squarePng(size, 'colour', rows);
}
