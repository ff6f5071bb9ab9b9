import type { FastifyInstance } from 'fastify';
import { loadShopScripts } from '../assets.ts';

/** The scripts that pages of shops load (docs/frame.md). A browser asks each time whether the one that it has is the newest. */
export async function shopScriptRoutes(page: FastifyInstance, payOrigin: string): Promise<void> {
  for (const [path, { etag, contentType, body }] of await loadShopScripts(payOrigin)) {
    page.get(path, { schema: { hide: true } }, async (request, reply) => {
      // A page may state the hash of the script that it takes, which a browser checks only where it may read the file.
      void reply.headers({ etag, 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
      if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
      return await reply.type(contentType).send(body);
    });
  }
}
