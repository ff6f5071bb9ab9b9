import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** A file without the blanks that begin its lines, and without its line ends. */
const onOneLine = (text: string): string => text.replace(/\n\s*/g, '');

/**
 * Writes into a page what it shows before its script and its styles have come: paper in the colours that the person chose,
 * and where there is a `#shell` the frame around the pages, with the band of test mode. The gateway allows these two
 * blocks by their hashes. The page's own styles wait until after them, so that they keep nothing white.
 */
export function shell(...sheets: readonly ('paper' | 'frame')[]): Plugin {
  return {
    name: 'shell',
    transformIndexHtml: {
      order: 'post',
      handler(page) {
        const style = onOneLine(sheets.map((name) => read(`${name}.css`)).join(''));
        const blocks = `<style>${style}</style>\n    <script>${onOneLine(read('shell.js'))}</script>`;
        const links = page.match(/^ *<link rel="stylesheet"[^>]*>\n/gm) ?? [];
        return links
          .reduce((rest, link) => rest.replace(link, ''), page)
          .replace('<!-- shell -->', () => blocks)
          .replace(/^ *<\/body>/m, (end) => `${links.join('')}${end}`);
      },
    },
  };
}
