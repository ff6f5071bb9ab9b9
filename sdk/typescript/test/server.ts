import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/**
 * What to answer: JSON unless `body` is text, or a fault. `drop` hangs up without a word, `half headers` and `half
 * body` in the middle of them, `short body` ends cleanly before its JSON does, `silence` says nothing, `slow body`
 * begins to speak and then says nothing.
 */
export type Answer =
  | 'drop'
  | 'half headers'
  | 'half body'
  | 'short body'
  | 'silence'
  | 'slow body'
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

/** Answers wrongly. */
export function misbehave(fault: Answer & string, response: ServerResponse): void {
  const hangUp = () => void response.socket?.destroy();
  if (fault === 'drop') hangUp();
  if (fault === 'half headers') response.socket?.write('HTTP/1.1 200 OK\r\nContent-Le', hangUp);
  if (fault === 'half body') response.writeHead(200, { 'Content-Length': 400 }).write('{"message":', hangUp);
  if (fault === 'short body') response.writeHead(200, { Connection: 'close' }).end('{"message":"O');
  if (fault === 'slow body') response.writeHead(200, { 'Content-Length': 400 }).write('{"message":');
}

/** A real HTTP server that gives the answers in turn (the last one for ever) until the test ends. */
export async function serveAnswers(...answers: [Answer, ...Answer[]]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    const answer = answers[Math.min(received.length, answers.length) - 1]!;
    if (typeof answer === 'string') return misbehave(answer, response);
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
