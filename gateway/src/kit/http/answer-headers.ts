/** The headers of every answer, unless its route sets others; by default an answer must not be stored anywhere. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** A browser that opens the address of a JSON answer downloads it under this name, and does not show it. */
export const asFile = { 'content-disposition': 'attachment; filename="api.json"' } as const;

/** The policy of a file that no page is: a browser that opens it shows text. */
export const filePolicy = "default-src 'none'; frame-ancestors 'none'";

/** @param overHttps whether people reach the gateway by https: then their browsers use only https for a year */
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
