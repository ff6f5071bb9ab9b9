import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** With these options of Node a program of ours runs as the JavaScript that is kept of it. */
export const asKept = ['--import', pathToFileURL(join(import.meta.dirname, 'kept-javascript.mjs')).href];
