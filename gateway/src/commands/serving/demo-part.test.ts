import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import type { Config } from '../../config/config.ts';
import { startDemoPi } from '../../demo/pi/demo-pi.ts';
import { demoPiDirectory } from '../../demo/pi/directory.ts';
import type { Demo } from '../../demo/seed.ts';
import { startDemoShop } from '../../demo/shop.ts';
import { awaitPart } from './demo-part.ts';

// Programs that come when the test answers what they ask, or end.

let dataDir: string;
let program: string;
let url: string;
const asked: ServerResponse[] = [];
const says = (what: 'come' | 'end') => expect.poll(() => asked.shift()?.end(what)).toBeDefined();

beforeAll(async () => {
  dataDir = await makeDataDir();
  atFileEnd(() => removeDataDir(dataDir));
  const server = createServer((_, answer) => void asked.push(answer)).listen(0, '127.0.0.1');
  atFileEnd(async () => void server.close());
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  program = join(dataDir, 'stand-in.mjs');
  await writeFile(
    program,
    `const answer = await (await fetch(process.env.FLORIN_URL ?? process.argv[4])).text();
     if (answer === 'end') process.exit(3);
     console.log('open');
     process.send({});
     process.once('disconnect', () => process.exit(0));`,
  );
});

function openLog() {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  return { lines, log };
}
function openShop() {
  const file = { base_url: url, pay_url: url, secret_key: 'sk', live_secret_key: 'sk' };
  const demo = { file, webhookSecret: 'whsec', liveWebhookSecret: null } as Demo;
  const shop = startDemoShop({ dataDir, shopPort: 0 } as Config, demo, program);
  atFileEnd(shop.stop);
  return { name: 'demo shop', url: 'http://shop', open: shop.open };
}

test('the gateway waits for a demo shop that comes in time', async () => {
  const { lines, log } = openLog();
  const waited = awaitPart(openShop(), log, 60_000);
  await says('come');
  expect(await waited).toBe(true);
  expect(lines).toEqual([]);
});

test('it serves without one that is late, and says when it comes', async () => {
  const { lines, log } = openLog();
  expect(await awaitPart(openShop(), log, 1)).toBe(false);
  expect(lines).toEqual(['the demo shop is late: Florin serves without it until it comes']);
  await says('come');
  await expect.poll(() => lines.at(-1)).toBe('the demo shop has come');
});

test('it serves without one that ends, late or not', async () => {
  for (const longestMs of [60_000, 1]) {
    const { lines, log } = openLog();
    const waited = awaitPart(openShop(), log, longestMs);
    if (longestMs === 1) await waited;
    await says('end');
    expect(await waited).toBe(false);
    await expect.poll(() => lines.at(-1)).toBe('Florin serves without the demo shop, which ended');
  }
});

test('a late demo Pi network is waited for the first time alone, when it names its account', async () => {
  const { lines, log } = openLog();
  const directory = demoPiDirectory(dataDir);
  const open = () =>
    startDemoPi({ dataDir, port: null, pageOrigin: url, program, wait: (part) => awaitPart(part, log, 1) });
  const first = open();
  await expect
    .poll(() => lines)
    .toEqual(['the demo Pi network is late: Florin serves without it until it comes']);
  await mkdir(directory, { recursive: true });
  const record = { port: 1, passphrase: 'demo', custody_account: 'GACC', payer_secret: 'S' };
  await writeFile(join(directory, 'network.json'), JSON.stringify({ ...record, port: 0 }));
  await says('come');
  const { stop, config } = await first;
  expect(config.account).toBe('GACC');
  await stop();
  const again = await open();
  atFileEnd(again.stop);
  expect(again.config.account).toBe('GACC');
  await says('come');
  await expect.poll(() => lines.at(-1)).toBe('the demo Pi network has come');
});
