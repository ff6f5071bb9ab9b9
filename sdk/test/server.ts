import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** What to answer: JSON unless `body` is text, or `drop` to hang up without a word. */
export type Answer =
  | 'drop'
  | 'silence'
  | { status?: number; headers?: Record<string, string>; body: object | string };

/** A success in the gateway's envelope. */
export function ok(data: unknown): Answer {
  return { body: { message: 'OK', data } };
}

/** A failure in the gateway's envelope. */
export function failure(status: number, message: string, headers: Record<string, string> = {}): Answer {
  const body = { message, data: null, code: status * 10, error: 'some_error', request_id: 'req_1' };
  return { status, headers, body };
}

/** A real HTTP server that gives the answers in turn (the last one for ever) until the test ends. */
export async function serveAnswers(...answers: [Answer, ...Answer[]]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    const answer = answers[Math.min(received.length, answers.length) - 1]!;
    if (answer === 'drop') return request.socket.destroy();
    if (answer === 'silence') return;
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
