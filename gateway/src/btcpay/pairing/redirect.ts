import type { Mode } from '../../identity/integration.ts';
import { isHttpsOrLoopback } from '../../identity/integrations/redirects.ts';
import { hasCredentials, parseWebAddress } from '../../kit/web-address.ts';

/** Where a key may be sent: to an https address, in test mode also to this machine; null for any other text. */
export function redirectOf(text: unknown, mode: Mode): URL | null {
  const url = typeof text === 'string' && text.length <= 2048 ? parseWebAddress(text) : null;
  if (!url || hasCredentials(url)) return null;
  const isGood = mode === 'live' ? url.protocol === 'https:' : isHttpsOrLoopback(url);
  return isGood ? url : null;
}
