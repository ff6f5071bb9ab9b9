import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain, treasury } from '../../../../test/chain/chain.ts';
import {
  addressOf,
  type Bench,
  emptied,
  endpointsThat,
  gasKeyFile,
  openBench,
  transactions,
} from '../../../../test/chain/sweep-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

const { db } = await testDatabase();
const chain = await startChain();
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
let bench: Bench;

beforeEach(async () => {
  await emptied(db);
  bench = await openBench(db, chain);
});
afterEach(async () => {
  await client.setAutomine(true);
  await chain.mine();
});

/** Endpoints that say something else to what sends; `arrives`: the transaction gets there all the same. */
function saying(message: string, { arrives, times = 1 }: { arrives: boolean; times?: number }) {
  let left = times;
  return endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    if (calls[0]?.method !== 'eth_sendRawTransaction' || left === 0) return await ask();
    left -= 1;
    if (arrives) await ask();
    throw new RpcFault(message === 'timeout' ? 'timeout' : 'refused', message);
  });
}

/** Endpoints by which gas always costs the same. */
const atOnePrice = () =>
  endpointsThat(bench.deps.endpoints, async (calls, ask) =>
    (await ask()).map((answer, at) => {
      if (calls[at]!.method === 'eth_maxPriorityFeePerGas') return '0x3b9aca00';
      if (calls[at]!.method !== 'eth_getBlockByNumber') return answer;
      return { ...(answer as object), baseFeePerGas: '0x77359400' };
    }),
  );

async function ownTransaction(nonce: number, maxFeePerGas = 10n ** 11n): Promise<Hex> {
  const call = {
    account: bench.key.account,
    chain: client.chain,
    to: accounts.stranger.address,
    value: 1n,
    gas: 21_000n,
  };
  return await client.sendTransaction({ ...call, nonce, maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas });
}

describe('a stuck transaction', () => {
  test('is offered for an eighth more under the same nonce, and whichever is mined counts', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await client.setAutomine(false);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    await sweeper.tick();
    bench.clock.advance(60);
    await sweeper.tick();
    const { rows } = await db.query<{ max_fee: bigint; tip: bigint }>(
      'SELECT max_fee, tip FROM evm_attempts ORDER BY max_fee',
    );
    expect(rows).toHaveLength(2);
    const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
    expect(second.max_fee * 8n >= first.max_fee * 9n && second.tip * 8n >= first.tip * 9n).toBe(true);
    await chain.mine();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 2 }]);
    expect(await bench.nonce()).toBe(1);
  });

  test('is never offered for more than the highest price, and waits', async () => {
    bench = await openBench(db, chain, { sweep: { ...bench.deps.chain.sweep, maxGasPriceGwei: 3 } });
    await bench.deposit(usdc, [dollar]);
    await client.setAutomine(false);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    for (let round = 0; round < 12; round += 1) {
      bench.clock.advance(60);
      await sweeper.tick();
    }
    const { rows } = await db.query<{ most: bigint }>('SELECT max(max_fee) AS most FROM evm_attempts');
    expect(rows[0]!.most <= 3n * 10n ** 9n).toBe(true);
    const round = await sweeper.sweep(null);
    expect(round?.faults.join()).toContain('stuck, and more than 3 gwei is not to be offered');
  });
});

describe('what an endpoint says to a transaction', () => {
  test.each([
    ['already known', true],
    ['timeout', true],
    ['timeout', false],
    ['nonce too low: next nonce 1, tx nonce 0', true],
    ['replacement transaction underpriced', false],
    ['transaction underpriced', false],
    ['something nobody has heard of', false],
  ])('%s (arrived: %s) ends with one sweep', async (message, arrives) => {
    const payments = await bench.deposit(usdc, [dollar]);
    const sweeper = bench.sweeper({ endpoints: saying(message, { arrives }) });
    await sweeper.tick();
    bench.clock.advance(15);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 1 }]);
    expect(await bench.nonce()).toBe(1);
  });
});

describe('a reorg', () => {
  test('that takes the sweep out has it sent again', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await chain.mine();
    const sweeper = bench.sweeper();
    await sweeper.tick();
    await sweeper.tick();
    expect(await transactions(db)).toMatchObject([{ state: 'mined' }]);
    await client.request({ method: 'anvil_reorg', params: [1, []] } as never);
    expect(await bench.left(usdc, payments)).toEqual([dollar]);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 1 }]);
  });

  test('deeper than what counts as final has the deposit swept anew', async () => {
    bench = await openBench(db, chain, { finality: 'confirmations', confirmations: 2 });
    const payments = await bench.deposit(usdc, [dollar]);
    await chain.mine(4);
    const sweeper = bench.sweeper({ endpoints: atOnePrice() });
    await sweeper.tick();
    await chain.mine(3);
    await bench.scan();
    await sweeper.tick();
    bench.clock.advance(3600);
    await sweeper.tick();
    expect(await transactions(db)).toMatchObject([{ state: 'final' }]);
    await client.request({ method: 'anvil_reorg', params: [4, []] } as never);
    await bench.scan();
    bench.clock.advance(3600);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    expect(await transactions(db)).toMatchObject([
      { nonce: 0n, state: 'final' },
      { nonce: 0n, state: 'sent' },
    ]);
    // At the same price these are the very same bytes.
    const { rows } = await db.query(
      'SELECT count(*)::int, count(DISTINCT hash)::int AS hashes FROM evm_attempts',
    );
    expect(rows).toEqual([{ count: 2, hashes: 1 }]);
  });
});

describe('another program with the same key', () => {
  test('that took the nonce is noticed, and the sweep goes under the next one', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await client.setAutomine(false);
    const endpoints = saying('timeout', { arrives: false });
    const sweeper = bench.sweeper({ endpoints });
    await sweeper.tick();
    await ownTransaction(0);
    await chain.mine();
    await client.setAutomine(true);
    bench.clock.advance(15);
    await sweeper.tick();
    await chain.mine(3);
    await sweeper.tick();
    bench.clock.advance(3600);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    expect(await transactions(db)).toMatchObject([
      { nonce: 0n, state: 'replaced', fault: 'another program used the nonce' },
      { nonce: 1n, state: 'sent' },
    ]);
  });

  test('whose transaction waits comes first', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await client.setAutomine(false);
    await ownTransaction(0);
    const sweeper = bench.sweeper();
    const round = await sweeper.sweep({ kind: 'all' });
    expect(round?.faults.join()).toContain('Another program sends with the gas key');
    expect(await transactions(db)).toEqual([]);
    await client.setAutomine(true);
    await chain.mine();
    await sweeper.sweep({ kind: 'all' });
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    expect(await transactions(db)).toMatchObject([{ nonce: 1n }]);
  });

  test('whose transaction a reorg took out leaves no gap', async () => {
    await ownTransaction(0);
    const payments = await bench.deposit(usdc, [dollar]);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    // Its transaction, the mint and the sweep.
    await client.request({ method: 'anvil_reorg', params: [3, []] } as never);
    expect(await bench.nonce()).toBe(0);
    await usdc.mint(addressOf(payments[0]!), dollar);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    expect(await bench.nonce()).toBe(2);
    expect((await transactions(db)).map(({ nonce }) => nonce).sort()).toEqual([0n, 1n]);
  });
});

describe('the key', () => {
  test('that is exchanged leaves what the old one sent to be followed', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await client.setAutomine(false);
    await bench.sweeper().tick();
    const other = await gasKeyFile();
    await client.setBalance({ address: other.address, value: dollar });
    bench.key.file = other.file;
    const sweeper = bench.sweeper();
    bench.clock.advance(60);
    await sweeper.tick();
    await client.setAutomine(true);
    await chain.mine();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([{ state: 'final', attempts: 1 }]);
    expect(await usdc.balanceOf(treasury)).toBeGreaterThan(0n);
  });
});

test('two processes at once send each deposit once', async () => {
  const payments = await bench.deposit(usdc, Array(50).fill(dollar));
  const sweepers = [bench.sweeper(), bench.sweeper(), bench.sweeper()];
  await Promise.all(sweepers.map((each) => each.tick()));
  await Promise.all(sweepers.map((each) => each.tick()));
  expect(await bench.left(usdc, payments)).toEqual(Array(50).fill(0n));
  expect((await transactions(db)).map(({ nonce }) => nonce)).toEqual([0n, 1n]);
  expect(await bench.nonce()).toBe(2);
});
