import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server on this machine that knows TXT records only; other names do not exist. */
export type DnsServer = { port: number; records: Map<string, string[]>; close(): Promise<void> };

const headerBytes = 12;
const noSuchName = 3;

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameAt(query, headerBytes);
    // The question ends with its type and class, two bytes each.
    const question = query.subarray(headerBytes, end + 4);
    const texts = records.get(name.toLowerCase());
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (texts ? 0 : noSuchName), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts?.length ?? 0, 6);
    socket.send(Buffer.concat([header, question, ...(texts ?? []).map(answerOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!));
    at += 1 + message[at]!;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** A TXT answer to the question's own name: a long text comes in pieces of up to 255 bytes. */
function answerOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  const data = Buffer.concat(pieces);
  const head = Buffer.from('c00c00100001000000000000', 'hex');
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
