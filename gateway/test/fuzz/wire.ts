import { connect, type Socket } from 'node:net';

// A client of HTTP/1.1 that sends any bytes, and takes every answer apart by itself.

export type WireAnswer = { status: number; headers: ReadonlyMap<string, string>; body: string };

/** What came back: the answers in order, and how it ended. */
export type Exchange = { answers: WireAnswer[]; end: 'answered' | 'closed' | 'hung' | 'unreadable' };

export type Wire = {
  /** Sends one request and waits for its answer. */
  ask(bytes: Buffer, method: string): Promise<Exchange>;
  close(): void;
};

type Parsed = { answer: WireAnswer; length: number; isStream: boolean };

const headEnd = Buffer.from('\r\n\r\n');

/** The first answer in these bytes; null: it is not whole yet. Throws where they are none. */
function parse(bytes: Buffer, method: string): Parsed | null {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return null;
  const lines = bytes.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(lines[0] ?? '')?.[1];
  if (status === undefined) throw new Error(`No answer: ${lines[0]}`);
  const headers = new Map<string, string>();
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] as string;
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const from = end + 4;
  const whole = (body: string, length: number, isStream = false): Parsed => ({
    answer: { status: Number(status), headers, body },
    length,
    isStream,
  });
  if (headers.get('content-type')?.startsWith('text/event-stream')) return whole('', bytes.length, true);
  if (method === 'HEAD' || status === '204' || status === '304' || status.startsWith('1'))
    return whole('', from);
  if (headers.get('transfer-encoding') === 'chunked') return chunked(bytes, from, whole);
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error('An answer without a length');
  return bytes.length < from + length
    ? null
    : whole(bytes.toString('utf8', from, from + length), from + length);
}

function chunked(
  bytes: Buffer,
  from: number,
  whole: (body: string, length: number) => Parsed,
): Parsed | null {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1');
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('A chunk without a length');
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return whole(Buffer.concat(parts).toString('utf8'), next);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

type Pending = { method: string; answers: WireAnswer[]; settle(exchange: Exchange): void };

/** A connection that is opened anew whenever it was closed. @param limitMs after how long an exchange hangs */
export function createWire(port: number, limitMs: number): Wire {
  let socket: Socket | null = null;
  let bytes: Buffer = Buffer.alloc(0);
  let pending: Pending | null = null;

  function settle(end: Exchange['end']): void {
    const done = pending;
    pending = null;
    done?.settle({ answers: done.answers, end });
  }
  function drop(end: Exchange['end']): void {
    const old = socket;
    socket = null;
    bytes = Buffer.alloc(0);
    old?.destroy();
    settle(end);
  }
  function read(): void {
    while (pending && bytes.length > 0) {
      let parsed: Parsed | null;
      try {
        parsed = parse(bytes, pending.method);
      } catch {
        drop('unreadable');
        return;
      }
      if (!parsed) return;
      bytes = bytes.subarray(parsed.length);
      // 100 Continue is followed by the answer itself.
      if (parsed.answer.status < 200) continue;
      pending.answers.push(parsed.answer);
      const isLast = parsed.isStream || parsed.answer.headers.get('connection') === 'close';
      if (isLast) drop('answered');
      else settle('answered');
    }
  }
  function open(): Socket {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on('data', (chunk: Buffer) => {
      if (opened !== socket) return;
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      read();
    });
    opened.on('error', () => {});
    opened.on('close', () => {
      if (opened === socket) drop('closed');
    });
    return opened;
  }

  return {
    ask(request, method) {
      return new Promise((resolve) => {
        socket ??= open();
        const timer = setTimeout(() => drop('hung'), limitMs);
        pending = {
          ...{ method, answers: [] },
          settle(exchange) {
            clearTimeout(timer);
            resolve(exchange);
          },
        };
        socket.write(request);
      });
    },
    close: () => drop('closed'),
  };
}

/** Sends bytes on a connection of their own, ends it, and takes everything that comes back. */
export function sendRaw(port: number, bytes: Buffer, limitMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    const finish = (isHung: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const answers: WireAnswer[] = [];
      let end: Exchange['end'] = isHung ? 'hung' : 'closed';
      try {
        for (let left = received; left.length > 0; ) {
          const parsed = parse(left, 'GET');
          // A half answer is what is left of one to HEAD, or was cut off with the connection.
          if (!parsed) break;
          answers.push(parsed.answer);
          left = left.subarray(parsed.length);
        }
      } catch {
        end = 'unreadable';
      }
      resolve({ answers, end });
    };
    const timer = setTimeout(() => finish(true), limitMs);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      // A stream would not end before the payment does.
      if (received.includes('text/event-stream')) finish(false);
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(false));
    socket.end(bytes);
  });
}
