import type { FlorinError } from '@florin/sdk';

/** What went wrong, in the gateway's words where they are its own, and what to do next. */
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

/** Told apart by its name, so that who needs no client does not load it. */
export function isFlorinError(error: unknown): error is FlorinError {
  return error instanceof Error && error.name === 'FlorinError';
}

const advice: Record<string, string> = {
  network_error: 'Does the gateway run there? npm start starts one; FLORIN_URL or --url names another.',
  timeout: 'The gateway is there, but does not answer: try again, and look at its log.',
  unexpected_response: 'Something else listens there: FLORIN_URL or --url must name the gateway.',
};

function adviceFor({ slug, status, retryAfterSeconds }: FlorinError): string | null {
  const known = advice[slug];
  if (known !== undefined) return known;
  if (status === 401)
    return 'That gateway does not know the key: check FLORIN_SECRET_KEY (or --key) and FLORIN_URL.';
  if (status === 404) return 'The key sees what is of its own integration and mode: check both, and the id.';
  if (status === 429) return `Try again in ${retryAfterSeconds ?? 'some'} s.`;
  if (status >= 500) return 'Nothing is known to have happened: the same command may be run again.';
  return null;
}
