import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSender } from '../kit/safe-fetch.ts';
import { createWorld, type World } from './fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const long = 'x'.repeat(70_000);

const answers: [name: string, answer: string | Buffer, status: 'delivered' | 'pending'][] = [
  ['NUL in a header', 'HTTP/1.1 200 OK\r\nX-Odd: a\0b\r\nContent-Length: 2\r\n\r\nok', 'pending'],
  [
    'bytes that are no UTF-8 in a header',
    Buffer.from('HTTP/1.1 200 OK\r\nX-Odd: \xff\xfe\r\nContent-Length: 2\r\n\r\nok', 'latin1'),
    'delivered',
  ],
  [
    'bytes that are no UTF-8 in the body',
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\x00\xed\xa0', 'latin1'),
    'delivered',
  ],
  ['a hundred 1xx before it', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100) + ok, 'delivered'],
  ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nok', 'delivered'],
  ['headers too large', `HTTP/1.1 200 OK\r\nX-Long: ${long}\r\n\r\n`, 'pending'],
  [
    'a gzip bomb',
    Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'),
      gzipSync(Buffer.alloc(10_000_000)),
    ]),
    'delivered',
  ],
  ['a status of 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', 'pending'],
  ['a status of 000', 'HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n', 'pending'],
  ['half of what was announced', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok', 'pending'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!', 'pending'],
  [
    '101 Switching Protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'pending',
  ],
  ['nothing of HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'pending'],
  ['two answers at once', ok + ok, 'delivered'],
  [
    'Retry-After that is absurd',
    'HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n',
    'pending',
  ],
];

test.each(answers)('an answer of %s is recorded', async (_, answer, status) => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const merchant = await world.merchant();
  await merchant.endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const id = await merchant.emit();
  const sender = createSender({ timeoutMs: 2_000 });
  await world.worker({ sender }).runDue({ integrationId: merchant.id, mode: 'test' });
  await sender.close();
  server.close();
  const { rows } = await world.db.query(
    'SELECT d.status, a.n FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id WHERE event_id = $1',
    [id],
  );
  expect(rows).toMatchObject([{ status, n: 1 }]);
});
