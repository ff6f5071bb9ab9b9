import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply } from './http.ts';

const publicDirectory = join(import.meta.dirname, '../public');

const shared = join(import.meta.dirname, '../../../web');

/** The shop's few files. The design tokens and the test banner are those of the whole Florin family. */
const files: Record<string, { path: string; type: string }> = {
  '/tokens.css': { path: join(shared, 'tokens.css'), type: 'text/css' },
  '/test-banner.css': { path: join(shared, 'test-banner.css'), type: 'text/css' },
  '/base.css': { path: join(publicDirectory, 'base.css'), type: 'text/css' },
  '/goods.css': { path: join(publicDirectory, 'goods.css'), type: 'text/css' },
  '/orders.css': { path: join(publicDirectory, 'orders.css'), type: 'text/css' },
  '/order.js': { path: join(publicDirectory, 'order.js'), type: 'text/javascript' },
  '/favicon.svg': { path: join(publicDirectory, 'favicon.svg'), type: 'image/svg+xml' },
};

/** Reads every file once, so that no request touches the disk. */
export function readStaticFiles(): Map<string, Reply> {
  return new Map(
    Object.entries(files).map(([address, { path, type }]) => {
      const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'max-age=300' };
      return [address, { status: 200, headers, body: readFileSync(path, 'utf8') }];
    }),
  );
}
