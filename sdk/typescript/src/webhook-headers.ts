import { WebhookVerificationError } from './errors.ts';

/** Headers as fetch has them, or as Node has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** A header that a webhook must have; `name` is in lower case. */
export function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (value) return value;
  const advice =
    'pass the headers of the request itself; if they hold none, a proxy in front of you removes it';
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing: ${advice}`);
}

/** A header's value, repeats joined by a space. */
export function findHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value.join(' ') : value;
}

function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function';
}
