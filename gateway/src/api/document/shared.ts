import type { Operation } from './document.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

/** What many calls share, by name. */
export const sharedParts = {
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A name of your own for this write, 1 to 255 characters. The same key with the same body has one effect: a repeated call gets the first answer. Keys are kept for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: 'order-1001',
    },
  },
  headers: {
    RateLimit: text(
      'What is left now: `r` calls, and the seconds `t` until the limit is whole again.',
      '"key";r=1999;t=1',
    ),
    RateLimitPolicy: text(
      'The limit: a burst of `q` calls, refilled within `w` seconds.',
      '"key";q=2000;w=2',
    ),
    RetryAfter: text('The seconds to wait before the next try; sent with 429 and 503.', '1'),
    IdempotentReplayed: text('`true` where the answer is that of an earlier call with the same key.', 'true'),
  },
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const limits = { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') };

/** The parameters of a call; every call that writes takes an Idempotency-Key. */
export function parametersOf({ parameters = [] }: Operation, isWrite: boolean): object[] {
  return isWrite ? [...parameters, { $ref: '#/components/parameters/IdempotencyKey' }] : parameters;
}

/** The answers of a call with their headers. */
export function responsesOf({ responses }: Operation, isWrite: boolean): Operation['responses'] {
  const { 200: done, ...refused } = responses;
  const retry = { ...limits, 'Retry-After': header('RetryAfter') };
  const words: Record<string, string> = {
    '4XX': 'Refused; `error` says why.',
    '5XX': 'A fault of the gateway, or it is busy: the same request may succeed later.',
  };
  const others = Object.entries(refused).map(([status, response]) => [
    status,
    { ...response, description: words[status] ?? response.description, headers: retry },
  ]);
  const replayed = isWrite && { 'Idempotent-Replayed': header('IdempotentReplayed') };
  return {
    ...Object.fromEntries(others),
    200: { ...done, description: 'Done.', headers: { ...limits, ...replayed } },
  };
}
