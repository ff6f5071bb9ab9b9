import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whether this is a release: its programs and the scripts of its pages are JavaScript, and lie where the sources do. */
export const isRelease = import.meta.filename.endsWith('.js');

/** The file that holds what `source`, a path of a TypeScript file, becomes: in a release that is JavaScript. */
export const fileOf = (source: string): string => (isRelease ? source.replace(/\.ts$/, '.js') : source);

const asKept = ['--import', pathToFileURL(join(import.meta.dirname, 'kept-javascript.mjs')).href];

/** How Node runs a program of ours, which `source` is: its options, and the file. */
export function programAt(source: string): { options: string[]; file: string } {
  return { options: isRelease ? [] : asKept, file: fileOf(source) };
}
