import { pino } from 'pino';
import { encodeFunctionData, parseAbi } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain, treasury } from '../../../../test/chain/chain.ts';
import { startRpcProxy } from '../../../../test/chain/rpc-proxy.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { newId } from '../../../kit/ids.ts';
import { forwarderAddress } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { createEndpoints } from '../rpc/endpoints.ts';
import { createLookUp, type LookUpDeps } from './look-up.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const { db } = await testDatabase();
const usdc = chain.tokens['usdc-bep20']!;
const payment = newId();
const address = forwarderAddress(treasury, payment);
const stranger = accounts.stranger.address;
const rechecks: [number, bigint][] = [];
await db.query(
  `INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, created_at)
   VALUES ($1, $2, '{31337}', $3, now())`,
  [address, payment, treasury],
);
beforeEach(() => {
  rechecks.length = 0;
});

/** Looks on chains with these endpoints, one each. */
function lookOn(...urls: string[]) {
  const chains = urls.map((url) => {
    const config = chain.config({ rpcUrls: [url] });
    return { chain: config, endpoints: createEndpoints({ chain: config }) };
  });
  const recheck: LookUpDeps['recheck'] = async (chainId, shown) => {
    rechecks.push(...shown.map(({ blockNumber }): [number, bigint] => [chainId, blockNumber]));
  };
  const deps = { db, chains, recheck, now: () => new Date() };
  const lookUp = createLookUp({ ...deps, log: pino({ level: 'silent' }), withinMs: 1_500 });
  return (hash: string, of: string = payment) => lookUp(of, hash);
}
const lookUp = lookOn(chain.rpcUrl);

describe('a transaction that a customer names', () => {
  test('is found when it paid to the payment’s address, and its block is read again', async () => {
    const hash = await usdc.send(address, 5n);
    const { blockNumber } = await chain.mined(hash);
    expect(await lookUp(` ${hash.toUpperCase().replace('0X', '0x')} `)).toBe('found');
    expect(rechecks).toEqual([[31337, blockNumber]]);
  });

  test('waits while it is in no block', async () => {
    await chain.client.setAutomine(false);
    const hash = await usdc.send(address, 5n);
    expect(await lookUp(hash)).toBe('waiting');
    await chain.mine();
    await chain.client.setAutomine(true);
    expect(await lookUp(hash)).toBe('found');
  });

  test('sent the native coin or a token that is not taken to the very address: operators read which', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const config = chain.config({ rpcUrls: [chain.rpcUrl] });
    const usual = { chain: config, endpoints: createEndpoints({ chain: config }) };
    const unlisted = { ...usual, chain: { ...config, tokens: [] } };
    const on = (chains: (typeof usual)[]) =>
      createLookUp({ db, chains, recheck: async () => {}, now: () => new Date(), log });
    const native = await chain.transact(accounts.payer, address, '0x', 7n);
    await chain.mined(native);
    expect(await on([usual])(payment, native)).toBe('other_coin');
    const token = await usdc.send(address, 5n);
    await chain.mined(token);
    expect(await on([unlisted])(payment, token)).toBe('other_coin');
    const nothing = `0x${'0'.repeat(40)}`;
    expect(lines).toMatchObject([
      { transaction: native, token: nothing, address, units: '7' },
      { transaction: token, token: usdc.address, address, units: '5' },
    ]);
    expect(lines[0]?.msg).toMatch(/florin sweep --token/);
  });

  test('is elsewhere when it paid somebody else', async () => {
    const paidOthers = await usdc.send(stranger, 5n);
    expect(await lookUp(paidOthers)).toBe('elsewhere');
    const another = newId();
    await db.query(
      `INSERT INTO evm_addresses (address, owner_id, chain_ids, treasury, created_at)
       VALUES ($1, $2, '{31337}', $3, now())`,
      [forwarderAddress(treasury, another), another, treasury],
    );
    const hash = await usdc.send(address, 5n);
    await chain.mined(hash);
    expect(await lookUp(hash, another)).toBe('elsewhere');
    expect(rechecks).toEqual([]);
  });

  test('is elsewhere when it moved nothing: anybody can make a transfer of zero seem to be anybody’s', async () => {
    const hash = await usdc.send(address, 0n);
    await chain.mined(hash);
    expect(await lookUp(hash)).toBe('elsewhere');
    expect(rechecks).toEqual([]);
  });

  test('failed when the network reverted it: nothing moved', async () => {
    const transfer = encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 units)']),
      args: [address, 2n ** 200n],
    });
    const hash = await chain.transact(accounts.stranger, usdc.address, transfer);
    expect((await chain.mined(hash)).status).toBe('reverted');
    expect(await lookUp(hash)).toBe('failed');
    expect(rechecks).toEqual([]);
  });

  test('is unknown where no chain has it, and where no payment has an address', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    expect(await lookUp(hash)).toBe('unknown');
    expect(await lookUp(hash, newId())).toBe('unknown');
  });

  test.each(['', 'hello', '0x12', `0x${'g'.repeat(64)}`, address])('is none: %o', async (text) => {
    expect(await lookUp(text as Hex)).toBeNull();
  });

  test('is found without asking anybody when the scan has it already', async () => {
    const hash = `0x${'cd'.repeat(32)}`;
    await db.query(
      `INSERT INTO evm_transfers (chain_id, block_hash, log_index, block_number, transaction, kind, asset, token,
         sender, address, owner_id, units, state, confirmations, ledger_id, seen_at)
       VALUES (31337, $1, 0, 7, $1, 'deposit', 'usdc-bep20', $2, $2, $3, $4, 5, 'seen', 1, $5, now())`,
      [hash, usdc.address, address, payment, newId()],
    );
    expect(await lookOn('http://127.0.0.1:9')(hash)).toBe('found');
  });
});

describe('a chain that cannot be asked', () => {
  test.each([{ dead: true }, { silent: true }, { garbage: 'page' as const }, { rateLimited: true }])(
    'is not said to know nothing of it, and nobody waits long: %o',
    async (faults) => {
      const proxy = await startRpcProxy(chain.rpcUrl, faults);
      const started = performance.now();
      expect(await lookOn(proxy.url)(`0x${'ab'.repeat(32)}`)).toBe('unasked');
      // An endpoint is waited for 10 s at most.
      expect(performance.now() - started).toBeLessThan(9_000);
    },
  );

  test('may know what another one does not', async () => {
    const dead = await startRpcProxy(chain.rpcUrl, { dead: true });
    expect(await lookOn(dead.url, chain.rpcUrl)(`0x${'ab'.repeat(32)}`)).toBe('unasked');
  });

  test('does not hide what another one knows', async () => {
    const silent = await startRpcProxy(chain.rpcUrl, { silent: true });
    const hash = await usdc.send(address, 6n);
    await chain.mined(hash);
    expect(await lookOn(silent.url, chain.rpcUrl)(hash)).toBe('found');
  });
});
