import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * The value of a cookie that better-auth signed, or null when it is missing or not of this installation's making:
 * `value.signature`, the signature being base64 HMAC-SHA256 under the secret.
 */
export function signedCookie(request: FastifyRequest, name: string, secret: string): string | null {
  const text = cookieOf(request.headers.cookie ?? '', name);
  const dot = text?.lastIndexOf('.') ?? -1;
  if (text === null || dot < 1) return null;
  const value = text.slice(0, dot);
  const given = Buffer.from(text.slice(dot + 1), 'base64');
  const right = createHmac('sha256', secret).update(value).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? value : null;
}

function cookieOf(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key, ...rest] = pair.trim().split('=');
    if (key !== name) continue;
    try {
      return decodeURIComponent(rest.join('='));
    } catch {
      return null;
    }
  }
  return null;
}
