import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../../kit/http/html.ts';
import { root } from './pages.ts';

const folder = 'docs/images/';
/** Pictures of whole pages are taken at one pixel for one of the page, those of parts at two. */
const isOfPart = (name: string): boolean => name.startsWith('look-');

const types: Record<string, string> = { png: 'image/png', svg: 'image/svg+xml' };

type Picture = { text: Buffer; type: string };

/** A picture of the documents at `/docs/images/NAME`; null where there is none. */
export async function readPicture(address: string): Promise<Picture | null> {
  const [, name, kind] = /^\/docs\/images\/([\w-]+\.(png|svg))$/.exec(address) ?? [];
  if (name === undefined || kind === undefined) return null;
  const text = await readFile(join(root, folder, name)).catch(() => null);
  return text && { text, type: types[kind] ?? '' };
}

/** The width and height that a picture states: a PNG in its header (PNG 1.2, 11.2.2). So nothing moves when it comes. */
function sizeOf(file: string): { width: number; height: number } {
  const content = readFileSync(join(root, file));
  if (file.endsWith('.svg')) {
    const [, width = '', height = ''] =
      /^<svg [^>]*\bwidth="(\d+)" height="(\d+)"/.exec(content.toString()) ?? [];
    return { width: Number.parseInt(width, 10), height: Number.parseInt(height, 10) };
  }
  const header = content.subarray(0, 24);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

/** A picture in light, and its fellow in dark where the reader has that. What is no picture of the documents is its words. */
export function pictureOf(file: string, text: string): string {
  const isPicture = file.startsWith(folder) && /-light\.(?:png|svg)$/.test(file);
  if (!isPicture || !existsSync(join(root, file))) return escapeHtml(text);
  const name = file.slice(folder.length);
  const { width, height } = sizeOf(file);
  const scale = isOfPart(name) ? 2 : 1;
  const dark = escapeHtml(name.replace(/light(?=\.\w+$)/, 'dark'));
  return `<picture><source srcset="/docs/images/${dark}" media="(prefers-color-scheme: dark)"><img src="/docs/images/${escapeHtml(name)}" alt="${escapeHtml(text)}" width="${Math.round(width / scale)}" height="${Math.round(height / scale)}" loading="lazy"></picture>`;
}
