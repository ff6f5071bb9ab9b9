import type { FlorinError } from '@florin/sdk';

/** What went wrong, with the gateway's own message if it sent one, and what to do next. */
export function explain(error: unknown): string {
  if (!isFlorinError(error)) return `florin: ${error instanceof Error ? error.message : error}\n`;
  const lines = [`florin: ${error.message}`];
  if (error.details.length > 1) lines.push(...error.details.map(({ message }) => `  ${message}`));
  const next = adviceFor(error);
  if (next !== null) lines.push(next);
  if (error.requestId !== null)
    lines.push(`Request id ${error.requestId}: quote it when you ask the operator.`);
  return `${lines.join('\n')}\n`;
}

/** Recognised by its name, so that commands without a client need not load it. */
export function isFlorinError(error: unknown): error is FlorinError {
  return error instanceof Error && error.name === 'FlorinError';
}

const advice: Record<string, string> = {
  network_error:
    'Check that the gateway runs there. npm start starts one; FLORIN_URL or --url sets another address.',
  timeout: 'The gateway accepts connections but does not answer. Try again, and read its log.',
  unexpected_response:
    'Another program answers there. FLORIN_URL or --url must be the address of the gateway.',
};

function adviceFor({ slug, status, retryAfterSeconds }: FlorinError): string | null {
  const known = advice[slug];
  if (known !== undefined) return known;
  if (status === 401)
    return 'That gateway does not have this key. Check FLORIN_SECRET_KEY (or --key) and FLORIN_URL.';
  if (status === 404)
    return 'A key reads only what belongs to its own integration and mode. Check both, and the id.';
  if (status === 429) return `Try again in ${retryAfterSeconds ?? 'some'} s.`;
  if (status >= 500) return 'The gateway did not confirm a change. You may run the same command again.';
  return null;
}
