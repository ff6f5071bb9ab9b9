import { hashMessage, toBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, expect, test } from 'vitest';
import { compiled } from '../../../../../scripts/contracts.ts';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { silentLog, testClock } from '../../../../test/support/fixtures.ts';
import type { Hex } from '../config/chains.ts';
import { hexNumber } from '../rpc/block.ts';
import { createEndpoints } from '../rpc/endpoints.ts';
import { createAgreement } from '../scan/blocks/agreement.ts';
import { signedByContract } from './signed-by-contract.ts';

const { db } = await testDatabase();
const [local, contracts] = await Promise.all([startChain(), compiled('test/Wallets.sol')]);
const [first, second] = await Promise.all([startRpcProxy(local.rpcUrl), startRpcProxy(local.rpcUrl)]);
const endpoints = createEndpoints({
  chain: { id: local.id, rpcUrls: [first!.url, second!.url], blockSeconds: 1 },
});
const agreement = createAgreement(endpoints, testClock(new Date()).now, silentLog);

const key = privateKeyToAccount(generatePrivateKey());
const message = 'Payment: PAY_1\nTo: Zürich, 東京';
const signature = await key.signMessage({ message });
const accepted = `0x1626ba7e${'0'.repeat(56)}` as const;

async function walletOf(kind: string, ...args: unknown[]): Promise<Hex> {
  const { abi, bytecode } = contracts[kind]!;
  const address = await local.deploy(abi, bytecode, args);
  await readTo(await local.client.getBlock());
  return address;
}
const owned = await walletOf('OwnedWallet', key.address);

/** The scan has read the chain up to this block, which is final; null: it has not begun. */
async function readTo(block: { number: bigint; hash: Hex } | null): Promise<void> {
  await db.query('TRUNCATE evm_chains');
  await db.query(
    `INSERT INTO evm_chains (chain_id, seen_number, seen_hash, final_number, final_hash) VALUES ($1, $2, $3, $2, $3)`,
    [local.id, block?.number, block?.hash],
  );
}
const asked = (address: Hex, said = signature as string, withinMs?: number) =>
  signedByContract(
    { db, agreement, log: silentLog, ...(withinMs === undefined ? {} : { withinMs }) },
    { chainId: local.id, address, message, signature: said },
  );

beforeEach(async () => {
  for (const proxy of [first!, second!]) proxy.mend();
  await readTo(await local.client.getBlock());
});

test('a wallet contract accepts what its owner signed, with and without 0x, and no other signature', async () => {
  expect(await asked(owned)).toBe(true);
  expect(await asked(owned, signature.slice(2).toUpperCase())).toBe(true);
  const stranger = privateKeyToAccount(generatePrivateKey());
  expect(await asked(owned, await stranger.signMessage({ message }))).toBe(false);
  expect(await asked(owned, await key.signMessage({ message: `${message}.` }))).toBe(false);
  // It reverts.
  expect(await asked(owned, '0x1234')).toBe(false);
});

test('a wallet that signs on its chain is asked with no bytes', async () => {
  expect(await asked(owned, '0x')).toBe(false);
  const { abi } = contracts.OwnedWallet!;
  const hash = await local.client.writeContract({
    ...{ account: accounts.payer, address: owned, abi: abi as never, functionName: 'allow' },
    ...{ args: [hashMessage(message)] as never, chain: local.client.chain },
  } as never);
  await local.mined(hash);
  // The block before does not have it yet, whatever the chain says now.
  expect(await asked(owned, '0x')).toBe(false);
  await readTo(await local.client.getBlock());
  expect(await asked(owned, '0x')).toBe(true);
});

test.each([
  ['exactly the word for yes', accepted, true],
  ['four bytes alone', '0x1626ba7e', false],
  ['more than 32 bytes', `${accepted}${'0'.repeat(64)}`, false],
  ['something after the word', `0x1626ba7e${'0'.repeat(55)}1`, false],
  ['a true', `0x${'1'.padStart(64, '0')}`, false],
  ['nothing', '0x', false],
])('of a contract that answers %s', async (_, word, expected) => {
  expect(await asked(await walletOf('SayingWallet', word))).toBe(expected);
});

test('a contract that never ends refuses, at the end of the gas that it is given', async () => {
  expect(await asked(await walletOf('EndlessWallet'))).toBe(false);
});

test('where there is no contract, nothing is accepted', async () => {
  expect(await asked(key.address.toLowerCase() as Hex)).toBe(false);
});

test.each([
  ['not hexadecimal', 'my name'],
  ['half a byte', '0x123'],
  ['too long', `0x${'11'.repeat(4_097)}`],
])('what is %s is no signature, and no endpoint is asked', async (_, text) => {
  const before = first!.asked.exchanges + second!.asked.exchanges;
  expect(await asked(owned, text)).toBe(false);
  expect(first!.asked.exchanges + second!.asked.exchanges).toBe(before);
});

test.each([0, 1])('what the endpoint at %i alone says is not known', async (at) => {
  const proxy = [first!, second!][at]!;
  proxy.faults.signatures = 'accepted';
  expect(await asked(owned, '0x1234')).toBeNull();
  proxy.faults.signatures = 'refused';
  expect(await asked(owned)).toBeNull();
});

test('it is not known while an endpoint is dead, before the chain was read, or where its block is another one', async () => {
  second!.faults.dead = true;
  expect(await asked(owned)).toBeNull();
  second!.mend();
  const block = await local.client.getBlock();
  await readTo({ number: block.number, hash: `0x${'ab'.repeat(32)}` });
  expect(await asked(owned)).toBeNull();
  await readTo(null);
  expect(await asked(owned)).toBeNull();
});

test('who does not answer is not waited for long', async () => {
  for (const proxy of [first!, second!]) proxy.faults.silent = true;
  expect(await asked(owned, signature, 50)).toBeNull();
});

test('the call has a limit of gas, and names the final block', async () => {
  const calls: unknown[] = [];
  const endpoint = {
    name: 'one',
    span: () => 1,
    batch: async (batch: readonly { method: string; params: unknown[] }[]) => {
      calls.push(...batch);
      return await Promise.all(
        batch.map(({ method, params }) => local.client.request({ method, params } as never)),
      );
    },
  };
  const lone = {
    ...endpoints,
    size: 1,
    use: async (work: (asked: typeof endpoint) => unknown) => ({ value: await work(endpoint), endpoint }),
  };
  const alone = createAgreement(lone as never, testClock(new Date()).now, silentLog);
  const block = await local.client.getBlock();
  const question = { chainId: local.id, address: owned, message, signature };
  expect(await signedByContract({ db, agreement: alone, log: silentLog }, question)).toBe(true);
  const expected = {
    method: 'eth_call',
    params: [expect.objectContaining({ gas: '0x2dc6c0' }), hexNumber(block.number)],
  };
  expect(calls.filter((call) => (call as { method: string }).method === 'eth_call')).toEqual([
    expected,
    expected,
  ]);
  expect(toBytes(signature)).toHaveLength(65);
});
