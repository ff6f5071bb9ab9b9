import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createWorld } from '../../../test/webhooks/fixtures.ts';
import { createHttpSender } from '../../kit/net/safe-fetch.ts';

const world = await createWorld();

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const long = 'x'.repeat(70_000);

const answers: [name: string, answer: string | Buffer, error: string | null][] = [
  [
    'NUL in a header',
    'HTTP/1.1 200 OK\r\nX-Odd: a\0b\r\nContent-Length: 2\r\n\r\nok',
    'The answer is not valid HTTP (Invalid header value char)',
  ],
  [
    'bytes that are no UTF-8 in a header',
    Buffer.from('HTTP/1.1 200 OK\r\nX-Odd: \xff\xfe\r\nContent-Length: 2\r\n\r\nok', 'latin1'),
    null,
  ],
  [
    'bytes that are no UTF-8 in the body',
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\x00\xed\xa0', 'latin1'),
    null,
  ],
  ['a hundred 1xx before it', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100) + ok, null],
  [
    '100 Continue that nobody asked for',
    `HTTP/1.1 100 Continue\r\n\r\n${ok}`,
    'The answer began with 100 Continue, which was not asked for',
  ],
  ['nothing at all', '', 'The connection was closed before the answer was complete'],
  ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nok', null],
  [
    'headers too large',
    `HTTP/1.1 200 OK\r\nX-Long: ${long}\r\n\r\n`,
    'The headers of the answer are too large',
  ],
  [
    'a gzip bomb',
    Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'),
      gzipSync(Buffer.alloc(10_000_000)),
    ]),
    null,
  ],
  ['a status of 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', 'Answered 999'],
  ['a status of 000', 'HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n', 'The answer is not valid HTTP'],
  [
    'half of what was announced',
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok',
    'The connection was closed before the answer was complete',
  ],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!',
    'The answer is not as long as its Content-Length says',
  ],
  [
    '101 Switching Protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'The answer changes to another protocol, which was not asked for',
  ],
  [
    'nothing of HTTP',
    'SSH-2.0-OpenSSH_9.6\r\n',
    'The answer is not valid HTTP (Expected HTTP/, RTSP/ or ICE/)',
  ],
  ['two answers at once', ok + ok, null],
  [
    'Retry-After that is absurd',
    'HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n',
    'Answered 503',
  ],
];

test.each(answers)('an answer of %s is recorded, with what was wrong with it', async (_, answer, error) => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const merchant = await world.merchant();
  await merchant.endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const id = await merchant.emit();
  const sender = createHttpSender({ timeoutMs: 2_000 });
  await world.worker({ sender }).takeOver(merchant.id, (sendDue) => sendDue());
  await sender.close();
  server.close();
  const { rows } = await world.db.query(
    'SELECT d.status, a.n, a.error FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id WHERE event_id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: error === null ? 'delivered' : 'pending', n: 1, error }]);
});
