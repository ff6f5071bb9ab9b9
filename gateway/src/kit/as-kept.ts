import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Options of Node with which a program of ours runs from the kept JavaScript. */
export const asKept = ['--import', pathToFileURL(join(import.meta.dirname, 'kept-javascript.mjs')).href];
