/** The headers that every answer has unless its route gives others; an answer of this server is a secret by default. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** A browser that opens an answer in JSON by its address stores it under this name, and shows none of it. */
export const asFile = { 'content-disposition': 'attachment; filename="api.json"' } as const;

/** @param overHttps whether people reach the gateway by https: then their browsers use nothing else for a year */
export function answerHeaders(overHttps: boolean): AnswerHeaders {
  return {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    // For browsers that do not know `frame-ancestors`.
    'x-frame-options': 'DENY',
    // Addresses of pages hold tokens, which must not reach another site. `no-referrer` would also remove the origin from
    // the pages' own forms.
    'referrer-policy': 'same-origin',
    'content-security-policy':
      "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ...(overHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}
