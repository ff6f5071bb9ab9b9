import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './html.ts';

/** What a route answers. */
export type Reply = { status: number; headers: Record<string, string>; body: string };

/** Thrown by `readBody` when more is sent than a route takes. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Reads the raw bytes of a request. @throws BodyTooLarge above `limitBytes`. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Left undestroyed on a throw, so that the refusal still reaches the sender.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new BodyTooLarge(`The body is larger than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A page; never cached, because orders change. */
export function page(status: number, content: Html): Reply {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: content.markup };
}

/** A few words for programs. */
export function text(status: number, body: string): Reply {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body };
}

/** Sends the browser on with a GET. */
export function seeOther(location: string): Reply {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}

/**
 * Whether a form may have been posted from another site (and must be refused). Browsers say so in Sec-Fetch-Site, old ones in
 * Origin; a program that sends neither carries nobody's rights.
 */
export function isForeign(request: IncomingMessage, publicUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  return origin !== undefined && origin !== new URL(publicUrl).origin;
}

/** Writes a reply with the headers that every page of the shop carries. */
export function send(response: ServerResponse, reply: Reply, florin: { script: string; pay: string }): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self' ${florin.script}`,
    // The payment page in its pop-up.
    `frame-src ${florin.pay}`,
    "img-src 'self'",
    "connect-src 'self'",
    // The order form ends, by redirect, on the payment page.
    `form-action 'self' ${florin.pay}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response.writeHead(reply.status, {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...reply.headers,
  });
  response.end(reply.body);
}
