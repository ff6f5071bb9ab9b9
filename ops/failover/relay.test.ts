import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { openRelay, type Relay } from './relay.ts';

// It sends back what it gets.
let echo: Server;
let relay: Relay;
let port: number;
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
  [port = 0] = await freePorts(1);
  relay = await openRelay(port, (echo.address() as AddressInfo).port);
});
afterEach(async () => {
  await relay.close();
  echo.close();
});

async function open() {
  const socket = connect(port, '127.0.0.1');
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
