import type { LoggedExchange } from './queries.ts';

/** A variable of the shell in place of the secret key, which cannot be shown again. */
const keyVariable = '$FLORIN_SECRET_KEY';

/** The request as a command for a shell. The key is a variable; a body that was cut is left out. */
export function curlOf(request: LoggedExchange, origin: string): string {
  const { method, path, request_body: body, request_cut: wasCut } = request;
  const lines = [`curl -X ${method} ${quoted(origin + path)}`, `-H "Authorization: Bearer ${keyVariable}"`];
  if (body !== null && !wasCut) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`);
  return lines.join(' \\\n  ');
}

/** Quotes a text as one argument for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
