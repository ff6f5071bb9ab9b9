import { encodeFunctionData, parseAbi } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain } from '../../../../test/chain/chain.ts';
import {
  addressOf,
  type Bench,
  emptied,
  openBench,
  transactions,
} from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';

const { db } = await testDatabase();
const chain = await startChain();
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
let bench: Bench;

beforeEach(() => emptied(db));
afterEach(async () => {
  await client.setAutomine(true);
  await chain.mine();
});

const barCall = (owner: Hex) =>
  encodeFunctionData({
    abi: parseAbi(['function bar(address, bool)']),
    functionName: 'bar',
    args: [owner, true],
  });

describe('a token that does not move', () => {
  test('is left alone with its reason, the longer the more often, and goes when it moves again', async () => {
    const token = await deployOddToken(chain, 'PausableToken', { asset: 'usdt-bep20' });
    bench = await openBench(db, chain);
    const payments = await bench.deposit(token, [dollar, dollar]);
    const others = await bench.deposit(usdc, [dollar]);
    await token.call('pause', true);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    expect(await bench.left(token, payments)).toEqual([dollar, dollar]);
    expect(await bench.left(usdc, others)).toEqual([0n]);
    const faults = () => db.query('SELECT reason, tries FROM evm_sweep_faults');
    expect((await faults()).rows).toEqual(
      Array(2).fill({ reason: expect.stringContaining('paused'), tries: 1 }),
    );
    bench.clock.advance(3600);
    await sweeper.tick();
    expect((await faults()).rows).toMatchObject([{ tries: 2 }, { tries: 2 }]);
    await token.call('pause', false);
    bench.clock.advance(3600);
    await sweeper.tick();
    expect(await bench.left(token, payments)).toEqual([0n, 0n]);
    await bench.settle(sweeper);
    expect((await faults()).rows).toEqual([]);
  });

  test('at one address alone holds up no other', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'usdt-bep20' });
    bench = await openBench(db, chain);
    const payments = await bench.deposit(token, [dollar, dollar, dollar]);
    await token.call('bar', addressOf(payments[1]!), true);
    await bench.sweeper().tick();
    expect(await bench.left(token, payments)).toEqual([0n, dollar, 0n]);
    const { rows } = await db.query('SELECT address, reason FROM evm_sweep_faults');
    expect(rows).toEqual([{ address: addressOf(payments[1]!), reason: expect.stringContaining('barred') }]);
  });

  test('only when the sweep is mined is found in the receipt', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'usdt-bep20' });
    bench = await openBench(db, chain);
    const payments = await bench.deposit(token, [dollar, dollar]);
    await client.setAutomine(false);
    await chain.transact(accounts.deployer, token.address, barCall(addressOf(payments[0]!)));
    const sweeper = bench.sweeper();
    await sweeper.tick();
    await chain.mine();
    expect(await bench.left(token, payments)).toEqual([dollar, 0n]);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([{ state: 'final', units: dollar }]);
    const { rows } = await db.query('SELECT address FROM evm_sweep_faults');
    expect(rows).toEqual([{ address: addressOf(payments[0]!) }]);
  });
});

test('without the factory nothing is sent, and the operator reads what to do', async () => {
  const bare = await startChain({ withFactory: false });
  bench = await openBench(db, bare);
  await bench.deposit(bare.tokens['usdc-bep20']!, [dollar]);
  await bench.sweeper().tick();
  expect(await transactions(db)).toEqual([]);
  const { rows } = await db.query('SELECT reason FROM evm_sweep_faults');
  expect(rows).toEqual([{ reason: expect.stringContaining('florin contracts deploy') }]);
});
