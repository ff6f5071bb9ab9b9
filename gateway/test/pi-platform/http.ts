import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformFault, PlatformFaults } from './faults.ts';
import { Refusal } from './refusal.ts';

const maxBodyBytes = 64 * 1024;

export type Call = {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string;
  /** What was sent as JSON; an empty object where it was nothing. */
  body: Record<string, unknown>;
};

/** What answers calls whose `METHOD path` it matches; the pattern's groups are its arguments. */
export type Route = [pattern: RegExp, answer: (call: Call, ...groups: string[]) => unknown];

/** Answers by the first route that matches; false where none does. */
export async function answerJson(
  routes: readonly Route[],
  faults: PlatformFaults,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const asked = `${request.method} ${pathname}`;
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(asked);
    if (!match) continue;
    const fault = faults.take(asked);
    if (fault?.delayMs) await sleep(fault.delayMs);
    if (fault && !fault.afterEffect && spoil(fault, response)) return true;
    const result = await resultOf(async () => {
      const call = {
        method: request.method ?? 'GET',
        path: pathname,
        query: searchParams,
        authorization: request.headers.authorization ?? '',
        body: await bodyOf(request),
      };
      return await answer(call, ...match.slice(1));
    });
    if (fault?.afterEffect && spoil(fault, response)) return true;
    sendJson(response, result.status, result.body);
    return true;
  }
  return false;
}

async function resultOf(answer: () => unknown): Promise<{ status: number; body: unknown }> {
  try {
    return { status: 200, body: await answer() };
  } catch (error) {
    if (error instanceof Refusal) return error;
    const error_message = error instanceof Error ? error.message : String(error);
    return { status: 500, body: { error: 'unknown_error', error_message } };
  }
}

/** Whether the fault took the place of an answer. */
function spoil({ status, headers = {}, cut }: PlatformFault, response: ServerResponse): boolean {
  if (cut) response.destroy();
  // What stands before the platform answers in HTML.
  else if (status !== undefined)
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<h1>${status}</h1>`);
  return cut === true || status !== undefined;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** The bytes of a request as text; throws where they are too many. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new Refusal(413, 'invalid_arguments', 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** JSON, or the form that some clients send. */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await textOf(request);
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
