import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Shorter answers fit into the first packet as they are. */
const fromBytes = 1024;

export type Compressing = {
  /** How the content type begins of what is compressed. */
  type: 'text/html' | 'application/json';
  /**
   * Whether also what another site made the browser ask for is compressed. The length of a compressed answer says whether two parts
   * of it are alike: no answer may hold both a secret and what that site chose.
   */
  foreign: boolean;
};

/**
 * Of Brotli. For a page of 27 KB, 5 takes 0.66 ms and sends 9 % less than 4, which takes 0.48; 9 takes many times that for
 * another 2 %.
 */
const qualities = { 'text/html': 5, 'application/json': 4 } as const;

/**
 * A hook that compresses whole texts of this type, where the client takes it: by Brotli, else gzip. Streams, and what is compressed
 * already, pass.
 */
export function compressed({ type, foreign }: Compressing) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (typeof payload !== 'string' || !`${reply.getHeader('content-type')}`.startsWith(type)) return payload;
    if (reply.hasHeader('content-encoding') || Buffer.byteLength(payload) < fromBytes) return payload;
    if (!foreign && isForeign(request)) return payload;
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    const coding = codingOf(request.headers['accept-encoding']);
    if (coding === null) return payload;
    void reply.header('content-encoding', coding).removeHeader('content-length');
    if (coding === 'gzip') return await gzipped(payload);
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    return await brotli(payload, {
      params: {
        [BROTLI_PARAM_QUALITY]: qualities[type],
        [BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(payload),
      },
    });
  };
}

function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** The better one of the codings that a client takes; null: none of ours. */
export function codingOf(accepted: string | string[] | undefined): 'br' | 'gzip' | null {
  const taken = new Set(
    `${accepted ?? ''}`
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim().split(/\s*;\s*/))
      .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : null;
}
