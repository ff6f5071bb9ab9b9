import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const yearMs = 365 * 24 * 3600 * 1000;

type SendOptions = Pick<fastifyStatic.SendOptions, 'maxAge' | 'immutable' | 'cacheControl' | 'etag'>;
/** Answers with a file of the directory. */
export type SendFile = (reply: FastifyReply, name: string, options: SendOptions) => FastifyReply;

/** Options of `SendFile` for a file whose name changes with its content. */
export const keptForEver = { maxAge: yearMs, immutable: true } as const;

/**
 * Returns the function that sends files of a directory to requests of `scope`; each directory has its own scope. Where
 * `name.br` or `name.gz` is beside a file, a client that accepts it gets that. A missing file is answered like an unknown
 * address.
 */
export async function createSendFile(scope: FastifyInstance, root: string): Promise<SendFile> {
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
    // The library sends scripts with their older type.
    if (type === 'application/javascript; charset=utf-8') void reply.type('text/javascript; charset=utf-8');
  });
  // The library declares the method for every reply, but only replies of this scope have it.
  type Sending = { sendFile(name: string, options: SendOptions): FastifyReply };
  return (reply, name, options) => (reply as unknown as Sending).sendFile(name, options);
}
