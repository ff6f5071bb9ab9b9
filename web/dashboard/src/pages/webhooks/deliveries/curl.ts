import { quoted } from '../../developers/curl.ts';
import type { Attempt } from '../types/delivery.ts';

/**
 * An attempt as a command for a shell: the same bytes with the same headers. Values of the merchant's own headers
 * are not kept, and are shown as `(hidden)`. Null where nothing was sent.
 */
export function curlOfAttempt(
  url: string,
  { request_headers }: Pick<Attempt, 'request_headers'>,
  body: string,
): string | null {
  if (request_headers === null) return null;
  const headers = request_headers
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `-H ${quoted(line)}`);
  return [`curl -i ${quoted(url)}`, ...headers, `--data-raw ${quoted(body)}`].join(' \\\n  ');
}
