import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const yearMs = 365 * 24 * 3600 * 1000;

/** Options of `sendFile` for a file whose name changes with its content. */
export const keptForEver = { maxAge: yearMs, immutable: true } as const;

/**
 * Adds `reply.sendFile` for the files of a directory to a scope of its own. Where `name.br` or `name.gz` lies beside
 * a file, a client that takes it gets that. A file that is not there is answered as an unknown address.
 */
export async function addSendFile(scope: FastifyInstance, root: string): Promise<void> {
  await scope.register(fastifyStatic, {
    serve: false,
    root,
    preCompressed: true,
    dotfiles: 'ignore',
    index: false,
    acceptRanges: false,
    lastModified: false,
    suppressWarning: true,
  });
  scope.addHook('onSend', async (_request, reply) => {
    const type = reply.getHeader('content-type');
    // The library knows scripts by their older type.
    if (type === 'application/javascript; charset=utf-8') void reply.type('text/javascript; charset=utf-8');
  });
}
