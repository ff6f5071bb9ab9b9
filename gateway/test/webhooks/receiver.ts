import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One webhook as it came: the bytes that are signed, and what they say. */
export type Received = {
  raw: Buffer;
  headers: IncomingHttpHeaders;
  body: {
    event_id: string;
    payment_id: string;
    payment_reference: string;
    payment_status: string;
    event_type: string;
    [field: string]: string | number;
  };
};

/** A merchant's own HTTP server for webhooks. */
export type Receiver = {
  url: string;
  /** Everything that came, repeats included, in the order of arrival. */
  received: Received[];
  /** The first webhook that fits, now or within 30 s, or `waitMs`. */
  next(fits: (webhook: Received) => boolean, what: string): Promise<Received>;
  close(): Promise<void>;
};

const usualWaitMs = 30_000;

/** Opens a receiver on a free port. It answers what `answer` says, 200 by default. */
export async function openReceiver(
  answer: (webhook: Received) => number = () => 200,
  { waitMs = usualWaitMs }: { waitMs?: number } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const raw = Buffer.concat(parts);
    const webhook = { raw, headers: request.headers, body: JSON.parse(raw.toString('utf8')) };
    received.push(webhook);
    response.writeHead(answer(webhook)).end();
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    received,
    next: (fits, what) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          const found = received.find(fits);
          if (!found) return;
          end();
          resolve(found);
        };
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(settle);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`${what} did not arrive within ${waitMs} ms; ${received.length} webhooks did`));
        }, waitMs);
        waiting.add(settle);
        settle();
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Verifies `X-Signature` as contract.md#webhooks states it: base64 of HMAC-SHA256 over the raw body, under the secret key. */
export function isSignedWith(secretKey: string, raw: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', secretKey).update(raw).digest('base64');
  return (
    typeof signature === 'string' &&
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}
