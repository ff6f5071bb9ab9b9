import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../suite/endings.ts';

export type Pushed = { message: Record<string, string>; ttl: string | undefined };

/** A browser with its push service: takes what is pushed to its subscription, as a browser would decrypt it. */
export type PushDevice = {
  /** What the browser hands to the page. */
  subscription: { endpoint: string; p256dh: string; auth: string };
  pushed: Pushed[];
  /** Which status the next pushes get; 201 by default. */
  answer(status: number): void;
  /** How many pushes came, whatever they got. */
  count(): number;
};

export async function startPushDevice(): Promise<PushDevice> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let status = 201;
  let count = 0;
  let origin = '';
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    count += 1;
    if (status < 300) {
      checkVapid(request.headers.authorization ?? '', origin);
      const message = JSON.parse(decrypt(browser, auth, Buffer.concat(parts)));
      pushed.push({ message, ttl: [request.headers.ttl].flat()[0] });
    }
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    subscription: {
      endpoint: `${origin}/send/${randomBytes(8).toString('hex')}`,
      p256dh: browser.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    },
    pushed,
    answer(next) {
      status = next;
    },
    count: () => count,
  };
}

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** The text of a message by RFC 8291 and RFC 8188, in one record. */
function decrypt(browser: ECDH, auth: Buffer, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const record = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const key = derive(browser.computeSecret(sender), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

/** Throws unless the header shows who sends, for this push service (RFC 8292). */
function checkVapid(header: string, origin: string): void {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  if (!isRight || aud !== origin) throw new Error('The sender does not show who it is');
}
