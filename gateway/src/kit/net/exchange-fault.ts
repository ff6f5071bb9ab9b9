import { codeOf } from '../db/system-errors.ts';

const invalid = 'The answer is not valid HTTP';

// By the code of the HTTP client's error, or by its message where one code has several. Other errors keep their own text,
// which says more: which address refused the connection, or what is wrong with a certificate.
const words = new Map([
  ['bad response', 'The answer began with 100 Continue, which was not asked for'],
  ['bad upgrade', 'The answer changes to another protocol, which was not asked for'],
  ['UND_ERR_SOCKET', 'The connection was closed before the answer was complete'],
  ['UND_ERR_CONNECT_TIMEOUT', 'The connection timed out'],
  ['UND_ERR_HEADERS_OVERFLOW', 'The headers of the answer are too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'The answer is not as long as its Content-Length says'],
  ['ERR_ASSERTION', invalid],
]);

/**
 * Why an exchange failed, in words for the people who run the other side, not in our HTTP client's. Where several
 * addresses failed, the first one's reason is given.
 */
export function faultOf(error: Error): string {
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const code = codeOf(cause);
  const known = words.get(cause.message) ?? words.get(code);
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `No TLS connection could be made${reasonOf(cause)}`;
  if (cause.name === 'HTTPParserError') return `${invalid}${/ \(.+\)$/.exec(cause.message)?.[0] ?? ''}`;
  if (code.startsWith('UND_ERR')) return 'The exchange was broken off';
  return cause.message || cause.name;
}

/** The reason in the words of TLS: `wrong version number`. */
function reasonOf(error: Error & { reason?: unknown }): string {
  return typeof error.reason === 'string' ? `: ${error.reason}` : '';
}
