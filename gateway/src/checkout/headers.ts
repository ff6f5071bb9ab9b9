/** The headers of every answer of the hosted page. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // The address holds the payment's token, which no other site may learn. `no-referrer` would also hide the
  // origin of the page's own forms.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;
