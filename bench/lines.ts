import { connect, type Socket } from 'node:net';

/** Keep-alive connections to one port, each of which carries one request at a time. */
export type Lines = {
  open(): number;
  idle(): number;
  /**
   * Sends a whole HTTP request by the connection that was idle for longest, and hands on the whole answer, which is empty
   * where the connection broke. False where none is idle.
   */
  send(request: string, onAnswer: (answer: string) => void): boolean;
  /** Opens so many more. */
  dial(count: number): Promise<void>;
  /** Closes so many that are idle, or as soon as they are. */
  hangUp(count: number): void;
  close(): void;
};

type Line = { socket: Socket; text: string; onAnswer: ((answer: string) => void) | undefined };

const dialledAtOnce = 100;

/** `redials`: a connection that the server closes is opened anew. */
export function openLines(port: number, { redials = false } = {}): Lines {
  const idle: Line[] = [];
  const all = new Set<Line>();
  let toClose = 0;
  let isClosed = false;

  function take(line: Line, chunk: Buffer): void {
    line.text += chunk.toString('latin1');
    const head = line.text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(line.text)?.[1] ?? '0';
    if (line.text.length < head + 4 + Number.parseInt(length, 10)) return;
    const { text, onAnswer } = line;
    line.text = '';
    line.onAnswer = undefined;
    if (toClose > 0) {
      toClose--;
      end(line);
    } else idle.push(line);
    onAnswer?.(text);
  }
  function end(line: Line): void {
    all.delete(line);
    line.socket.destroy();
  }
  function lose(line: Line): void {
    if (!all.delete(line)) return;
    const at = idle.indexOf(line);
    if (at >= 0) idle.splice(at, 1);
    line.onAnswer?.('');
    // A server that is gone refuses it, which leaves one connection fewer.
    if (redials && !isClosed) dialOne().catch(() => {});
  }
  async function dialOne(): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, text: '', onAnswer: undefined };
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    all.add(line);
    socket.on('data', (chunk: Buffer) => take(line, chunk));
    socket.on('error', () => {});
    socket.on('close', () => lose(line));
    idle.push(line);
  }

  return {
    open: () => all.size,
    idle: () => idle.length,
    send(request, onAnswer) {
      const line = idle.shift();
      if (!line) return false;
      line.onAnswer = onAnswer;
      line.socket.write(request);
      return true;
    },
    async dial(count) {
      for (let dialled = 0; dialled < count; dialled += dialledAtOnce)
        await Promise.all(Array.from({ length: Math.min(dialledAtOnce, count - dialled) }, dialOne));
    },
    hangUp(count) {
      const now = idle.splice(0, count);
      toClose += count - now.length;
      for (const line of now) end(line);
    },
    close() {
      isClosed = true;
      for (const line of [...all]) end(line);
    },
  };
}

/** A whole HTTP request with a JSON body. */
export function requestText(method: string, path: string, secretKey: string, body: string): string {
  const headers = {
    host: '127.0.0.1',
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The status of an answer, and whether a refusal says when to come again; 0: it was not answered. */
export function readHead(answer: string): { status: string; saysWhen: boolean } {
  return { status: answer.slice(9, 12) || '0', saysWhen: /\r\nretry-after: \d/i.test(answer) };
}
