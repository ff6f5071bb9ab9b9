import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRelay, type Relay } from './relay.ts';

// It sends back what it gets.
let echo: Server;
let relay: Relay;
let heard: number;

beforeEach(async () => {
  heard = 0;
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard += bytes.length;
      socket.write(bytes);
    });
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  relay = await openRelay(0, (echo.address() as AddressInfo).port);
});
afterEach(async () => {
  await relay.close();
  echo.close();
});

async function open() {
  const socket = connect(relay.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

test('what is cut off hears nothing and is not told, and passes again only on new connections', async () => {
  const before = await open();
  before.write('one');
  expect(`${(await once(before, 'data'))[0]}`).toBe('one');
  relay.cut();
  before.write('lost');
  const during = await open();
  during.write('lost too');
  let isClosed = false;
  before.once('close', () => {
    isClosed = true;
  });
  // A new connection that is taken shows that what was sent earlier was read.
  await open();
  expect({ heard, isClosed }).toEqual({ heard: 3, isClosed: false });

  relay.join();
  await expect.poll(() => isClosed).toBe(true);
  const after = await open();
  after.write('two');
  expect(`${(await once(after, 'data'))[0]}`).toBe('two');
  expect(heard).toBe(6);
});

/** What comes back on a connection until it ends. */
async function heardUntilEnd(sent: string): Promise<string> {
  const socket = await open();
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.write(sent);
  await once(socket, 'close');
  return text;
}

test('a connection ends after so many bytes of a request', async () => {
  relay.breaks({ kind: 'ends after', bytes: 3, way: 'there' });
  await heardUntilEnd('abcdef');
  await expect.poll(() => heard).toBe(3);
});

test('a connection ends after so many bytes of an answer', async () => {
  relay.breaks({ kind: 'ends after', bytes: 4, way: 'back' });
  expect(await heardUntilEnd('abcdef')).toBe('abcd');
  expect(heard).toBe(6);
});

test('a request that loses its answer arrives, and others are answered', async () => {
  relay.breaks({ kind: 'loses answers', to: (request) => request.includes('COMMIT') });
  const socket = await open();
  socket.write('SELECT');
  expect(`${(await once(socket, 'data'))[0]}`).toBe('SELECT');
  socket.write('COMMIT');
  await once(socket, 'close');
  expect(heard).toBe(12);

  relay.breaks(null);
  const after = await open();
  after.write('COMMIT');
  expect(`${(await once(after, 'data'))[0]}`).toBe('COMMIT');
});

test('a relay that refuses ends what is open and what comes', async () => {
  const before = await open();
  relay.breaks({ kind: 'refuses' });
  await once(before, 'close');
  const after = connect(relay.port, '127.0.0.1').on('error', () => {});
  after.write('lost');
  await new Promise((resolve) => after.once('close', resolve));
  expect(heard).toBe(0);
});
