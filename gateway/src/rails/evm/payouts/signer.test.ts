import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { parseTransaction } from 'viem';
import { signTransaction } from 'viem/accounts';
import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat, gasKeyFile, transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { createHttpSender } from '../../../kit/net/safe-fetch.ts';
import type { Hex } from '../config/chains.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { readGasKey } from '../send/key.ts';
import { payoutFaults } from './sender-state.ts';
import { readVaultKey } from './signer.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n * dollar } });
await usdc.mint(vault.address, 1_000_000n * dollar);
let bench: PayoutBench;
let to: Hex;
let id: string;

beforeEach(async () => {
  await client.setAutomine(true);
  bench = await openPayouts(db, chain, vault);
  to = `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
  id = (await bench.order(usdc, [{ to, units: dollar }]))[0]!;
});

type Answer = (transaction: object) => Promise<object | null>;
const same: Answer = async (transaction) => transaction;

/** A sender whose signer is a program with the vault's key, or another one; null: it never answers. */
async function senderBy(answer: Answer, key: Hex | null = null, timeoutMs = 30_000) {
  const secret = key ?? ((await readFile(bench.key.file, 'utf8')).trim() as Hex);
  const server = createServer(async (request, response) => {
    const { transaction } = (await json(request)) as { transaction: Hex };
    const changed = await answer(parseTransaction(transaction));
    if (changed === null) return;
    const signed = await signTransaction({ privateKey: secret, transaction: changed as never });
    response.end(JSON.stringify({ transaction: signed }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = createHttpSender({ timeoutMs });
  atFileEnd(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const by = { kind: 'http' as const, url: `http://127.0.0.1:${port}`, tokenFile: null };
  return bench.sender({
    readKey: () => readVaultKey({ by, address: bench.key.address }, bench.deps.chain, http),
  });
}

const fault = async (): Promise<string | undefined> => (await payoutFaults(db, chain.id))[0]?.message;

async function isPaidOnce(): Promise<void> {
  const good = await senderBy(same);
  await good.tick();
  for (let count = 0; count < 3; count += 1) await bench.settle(good);
  expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
}

test.each<[string, Answer, Hex | null, string]>([
  [
    'signs something else',
    async (each) => ({ ...each, nonce: 7 }),
    null,
    'another transaction than it was sent',
  ],
  ['was given another key', same, `0x${'12'.repeat(32)}`, 'signed with another key'],
])('of a program that %s nothing is taken', async (_, answer, key, said) => {
  await (await senderBy(answer, key)).tick();
  expect(await transactions(db)).toEqual([]);
  expect(await fault()).toContain(said);
  await isPaidOnce();
});

test('a program that is silent keeps the orders waiting, and everything else working', async () => {
  await (await senderBy(async () => null, null, 200)).tick();
  expect(await transactions(db)).toEqual([]);
  expect(await fault()).toContain('did not answer');
  await isPaidOnce();
});

test('a program that is so slow that another process takes over has signed for nothing', async () => {
  const other = bench.sender();
  const slow = await senderBy(async (transaction) => {
    await expireLeases(db);
    await other.tick();
    return transaction;
  });
  await slow.tick();
  expect(await transactions(db)).toMatchObject([{ nonce: 0n }]);
  await isPaidOnce();
});

test('after another key was put in its place, what the old one signed is refused, and paid by the new one', async () => {
  await client.setAutomine(false);
  const lost = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    if (!calls.some(({ method }) => method === 'eth_sendRawTransaction')) return await ask();
    throw new RpcFault('timeout', 'no answer');
  });
  await bench.sender({ endpoints: { ...bench.deps.endpoints, use: lost.use } }).tick();
  await client.setAutomine(true);
  const key = await gasKeyFile();
  await client.setBalance({ address: key.address, value: 10n ** 18n });
  await vault.call('setSigner', [key.address]);
  const exchanged = bench.sender({ readKey: () => readGasKey(key.file) });
  for (let count = 0; count < 5; count += 1) await bench.settle(exchanged);
  expect(bench.storyOf(id)).toEqual(['sending', 'waiting: Its transaction was reverted', 'sending', 'sent']);
  expect(await usdc.balanceOf(to)).toBe(dollar);
  expect(await transactions(db)).toMatchObject([{ state: 'failed' }, { state: 'final' }]);
});

test('the key of sweeps is refused, and one that is not the configured one', async () => {
  const { sweep } = bench.deps.chain;
  const shared = { sweep: { ...sweep, gasKeyFile: bench.key.file } };
  const by = { kind: 'file' as const, keyFile: bench.key.file };
  const http = createHttpSender();
  await expect(readVaultKey({ by, address: null }, shared, http)).rejects.toThrow('must be another key');
  await expect(readVaultKey({ by, address: to }, bench.deps.chain, http)).rejects.toThrow('is configured');
  await http.close();
});
