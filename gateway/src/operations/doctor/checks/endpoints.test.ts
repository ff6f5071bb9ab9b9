import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { checkChain } from './chain.ts';
import { checkPi } from './pi.ts';

const chain = await startChain();
const key = 'a-key-of-a-provider';

test('each endpoint of a chain is tried by itself, and its key is told to nobody', async () => {
  await chain.mine(3);
  const tokens = [{ address: `0x${'1'.repeat(40)}` }];
  const terms = { id: 31337, name: 'Local', blockSeconds: 12, finality: 'confirmations', tokens };
  const look = async (...rpcUrls: string[]) =>
    await findingsOf(
      checkChain,
      await examinedWith({}, { config: { chains: [{ ...terms, rpcUrls }] } as never }),
    );
  const one = await look(chain.rpcUrl);
  expect(one.map(([finding]) => finding)).toContain('alone');
  expect(one.map(([finding]) => finding)).not.toContain('faulty');
  const dead = await look(chain.rpcUrl, `http://127.0.0.1:9/v1/${key}`);
  expect(dead.map(([finding]) => finding)).toContain('faulty');
  expect(JSON.stringify(dead)).not.toContain(key);
  const wrong = await findingsOf(
    checkChain,
    await examinedWith({}, { config: { chains: [{ ...terms, id: 56, rpcUrls: [chain.rpcUrl] }] } as never }),
  );
  expect(wrong[0]).toEqual(['faulty', expect.stringContaining('chain 31337')]);
  expect(await findingsOf(checkChain, await examinedWith())).toEqual([['none', null]]);
});

test('each Horizon of Pi is asked for its network and its newest ledger', async () => {
  let closedAt = new Date();
  const server = createServer((_, answer) => {
    const root = {
      network_passphrase: 'Pi Demo',
      history_latest_ledger: 7,
      history_latest_ledger_closed_at: closedAt.toISOString(),
    };
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(root));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const look = async (horizonUrls: string[], passphrase = 'Pi Demo') => {
    const config = { pi: { horizonUrls, passphrase }, testPi: null } as never;
    return (await findingsOf(checkPi, await examinedWith({}, { config }))).map(([finding]) => finding);
  };
  expect(await look([url])).toEqual(['ok']);
  expect(await look([url], 'Pi Network')).toEqual(['faulty']);
  expect(await look([`http://127.0.0.1:9/${key}`])).toEqual(['faulty']);
  closedAt = new Date(Date.now() - 90_000);
  expect(await look([url])).toEqual(['behind']);
  expect(await findingsOf(checkPi, await examinedWith())).toEqual([['none', null]]);
});
