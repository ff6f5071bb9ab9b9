import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain, treasury } from '../../../../test/chain/chain.ts';
import {
  addressOf,
  type Bench,
  emptied,
  endpointsThat,
  openBench,
  transactions,
} from '../../../../test/chain/sweep-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { ownerText } from '../../owner.ts';
import { makeAddresses } from '../addresses/addresses.ts';
import { makeReusable } from '../addresses/reusable.ts';
import { nativeCoin } from '../send/words.ts';

const { db } = await testDatabase();
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const dollar = 10n ** 18n;
const gwei = 10n ** 9n;
let bench: Bench;

beforeEach(async () => {
  await emptied(db);
  bench = await openBench(db, chain);
});

describe('a sweep', () => {
  test('moves every deposit in one transaction, and is settled once that is final', async () => {
    const payments = await bench.deposit(usdc, [5n * dollar, 7n * dollar, 1n * dollar]);
    const before = await usdc.balanceOf(treasury);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n, 0n, 0n]);
    expect((await usdc.balanceOf(treasury)) - before).toBe(13n * dollar);
    await bench.settle(sweeper);
    expect(await transactions(db)).toMatchObject([
      { nonce: 0n, state: 'final', units: 13n * dollar, attempts: 1, fault: null },
    ]);
    bench.clock.advance(24 * 3600);
    await sweeper.tick();
    expect(await bench.nonce()).toBe(1);
  });

  test('is one transaction for each token and forty deposits, under nonces that follow each other', async () => {
    const payments = await bench.deposit(usdc, Array(41).fill(dollar));
    const others = await bench.deposit(usdt, [dollar]);
    await bench.sweeper().tick();
    const sent = await transactions(db);
    expect(sent.map(({ nonce }) => nonce)).toEqual([0n, 1n, 2n]);
    // Tokens whose deposits came at the same time have no order.
    expect(sent.map(({ payments }) => payments.length).sort()).toEqual([1, 1, 40]);
    expect(await bench.left(usdc, payments)).toEqual(Array(41).fill(0n));
    expect(await bench.left(usdt, others)).toEqual([0n]);
  });

  test('takes what lies at the reusable address of a top-up with those of payments', async () => {
    const owner = { kind: 'top-up', id: newId() } as const;
    const { chain: config } = bench.deps;
    await transaction(db, (tx) =>
      makeReusable(tx, { chain: config, chains: [config] }, owner, bench.clock.now()),
    );
    await usdc.mint(addressOf(ownerText(owner)), 3n * dollar);
    const [payment] = (await bench.deposit(usdc, [dollar])) as [string];
    const sweeper = bench.sweeper();
    await sweeper.tick();
    expect(await bench.left(usdc, [payment, ownerText(owner)])).toEqual([0n, 0n]);
    await bench.settle(sweeper);
    const [sent, ...others] = await transactions(db);
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ state: 'final', units: 4n * dollar });
    expect(sent?.payments.sort()).toEqual([payment, ownerText(owner)].sort());
  });

  test('takes what came to a swept address later', async () => {
    const [payment] = (await bench.deposit(usdc, [dollar])) as [string];
    const sweeper = bench.sweeper();
    await sweeper.tick();
    await bench.settle(sweeper);
    await usdc.mint(addressOf(payment), 2n * dollar);
    await bench.scan();
    bench.clock.advance(3600);
    await sweeper.tick();
    expect(await bench.left(usdc, [payment])).toEqual([0n]);
    expect(await transactions(db)).toMatchObject([{ units: dollar }, { units: 2n * dollar }]);
  });

  test('leaves alone what is not final, and what somebody else swept already', async () => {
    const payments = await bench.deposit(usdc, [dollar, dollar]);
    await db.query(`UPDATE evm_transfers SET state = 'seen' WHERE owner_id = $1`, [payments[0]]);
    await db.query(
      `INSERT INTO evm_transfers SELECT chain_id, block_hash, 999, block_number, transaction, 'sweep', asset, token,
         address, address, owner_id, units, 'seen', 1, gen_random_uuid(), seen_at
       FROM evm_transfers WHERE owner_id = $1`,
      [payments[1]],
    );
    await bench.sweeper().tick();
    expect(await transactions(db)).toEqual([]);
  });

  test('pays as chains without a base fee do, where there is none', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    const endpoints = endpointsThat(bench.deps.endpoints, async (_, ask) =>
      (await ask()).map((answer) => {
        if (typeof answer !== 'object' || answer === null) return answer;
        const { baseFeePerGas: _, ...rest } = answer as { baseFeePerGas?: string };
        return rest;
      }),
    );
    await bench.sweeper({ endpoints }).tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
    const { rows } = await db.query('SELECT tip FROM evm_attempts');
    expect(rows).toEqual([{ tip: null }]);
  });
});

describe('what is not worth the gas', () => {
  test('waits until all deposits are asked for', async () => {
    const payments = await bench.deposit(usdc, [1n, dollar]);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([1n, 0n]);
    const round = await sweeper.sweep({ kind: 'all' });
    expect(round?.plan?.batches).toHaveLength(1);
    expect(await bench.left(usdc, payments)).toEqual([0n, 0n]);
  });

  test('goes after a day where the price of the coin is not known', async () => {
    bench = await openBench(db, chain, { nativeUsd: null });
    const payments = await bench.deposit(usdc, [dollar]);
    const sweeper = bench.sweeper();
    await sweeper.tick();
    expect(await transactions(db)).toEqual([]);
    bench.clock.advance(24 * 3600);
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
  });

  test('is not sent while gas costs more than is allowed, which the operator sees', async () => {
    await bench.deposit(usdc, [dollar]);
    await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 300n * gwei });
    await chain.mine();
    const round = await bench.sweeper().sweep({ kind: 'all' });
    expect(round?.faults.join()).toMatch(/Gas costs 30\d\.\d{3} gwei, more than the 200 gwei/);
    expect(await transactions(db)).toEqual([]);
    await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei });
    await chain.mine();
  });
});

describe('recovery', () => {
  test('moves the native coin and tokens that are not listed, of the payments that are named', async () => {
    const payments: [string, string] = [newId(), newId()];
    await transaction(db, (tx) => makeAddresses(tx, [bench.deps.chain], payments, bench.clock.now()));
    const [first, second] = payments;
    for (const payment of payments) {
      await chain.mined(await chain.transact(accounts.payer, addressOf(payment), '0x', dollar));
    }
    await usdt.mint(addressOf(second), 9n);
    const before = await chain.client.getBalance({ address: treasury });
    const sweeper = bench.sweeper();
    await sweeper.sweep({ kind: 'token', token: nativeCoin, paymentIds: [first] });
    await sweeper.sweep({ kind: 'token', token: usdt.address, paymentIds: payments });
    expect((await chain.client.getBalance({ address: treasury })) - before).toBe(dollar);
    expect(await bench.left(usdt, payments)).toEqual([0n, 0n]);
    expect(await transactions(db)).toMatchObject([
      { payments: [first], units: dollar },
      { payments: [second], units: 9n },
    ]);
  });
});

describe('the operator', () => {
  test('hears when the gas key holds too little, and for how many sweeps it is enough', async () => {
    await chain.client.setBalance({ address: bench.key.address, value: 4n * 10n ** 15n });
    const round = await bench.sweeper().sweep(null);
    expect(round?.faults).toEqual([
      expect.stringMatching(/^Gas key 0x\w{40} holds 0.004 ETH, enough for about \d sweeps$/),
    ]);
  });

  test('hears why nothing can be sent without coins, and it goes by itself once there are some', async () => {
    const payments = await bench.deposit(usdc, [dollar]);
    await chain.client.setBalance({ address: bench.key.address, value: 0n });
    const sweeper = bench.sweeper();
    await sweeper.tick();
    const { rows } = await db.query<{ faults: string[] }>('SELECT faults FROM evm_senders');
    expect(rows[0]!.faults.join()).toMatch(/holds 0 ETH.*nonce 0 waits: .*[Ii]nsufficient funds/);
    await chain.client.setBalance({ address: bench.key.address, value: dollar });
    await sweeper.tick();
    expect(await bench.left(usdc, payments)).toEqual([0n]);
  });
});
