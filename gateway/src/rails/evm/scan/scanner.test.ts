import { encodeFunctionData, parseAbi } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts, startChain, treasury } from '../../../../test/chain/chain.ts';
import { openScan, type Scan } from '../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { factoryAddress, ownerWord } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));
const usdt = local.tokens['usdt-bep20']!;

const factory = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
const erc20 = parseAbi(['function transfer(address to, uint256 units)']);

/** Anybody moves what the addresses of these payments hold to the treasury. */
const sweep = async (...payments: { id: string }[]) =>
  local.mined(
    await local.transact(
      accounts.stranger,
      factoryAddress,
      encodeFunctionData({
        abi: factory,
        functionName: 'sweep',
        args: [usdc.address, treasury, payments.map(({ id }) => ownerWord(id))],
      }),
    ),
  );

let scan: Scan;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  scan = await openScan(db, local);
});

describe('a transfer to an address of ours', () => {
  test('is seen when it is on the chain, counts up, and is final in the end', async () => {
    const { id, address } = await scan.pay();
    await send(address, 5n);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 1 5']);
    await local.mine(1);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 2 5']);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(scan.reported.at(-1)).toMatchObject({
      rail: 'evm:31337',
      asset: 'usdc-bep20',
      paymentId: id,
      needed: 3,
      state: 'final',
    });
  });

  test('of another listed token is reported like any other', async () => {
    const { id, address } = await scan.pay();
    await local.mined(await usdt.send(address, 7n));
    await scan.tick();
    expect(scan.reported).toMatchObject([{ paymentId: id, asset: 'usdt-bep20', units: 7n }]);
  });

  test('that moves nothing, or a token that is not listed, is nothing', async () => {
    const { id, address } = await scan.pay();
    const unlisted = scan.chain.tokens.filter(({ asset }) => asset !== 'usdt-bep20');
    scan = await openScan(db, local, { config: { tokens: unlisted } });
    await send(address, 0n);
    await local.mined(await usdt.send(address, 7n));
    await scan.tick();
    expect(scan.standing(id)).toEqual([]);
    const { rows } = await db.query('SELECT FROM evm_transfers');
    expect(rows).toEqual([]);
  });

  test('counts where it was minted', async () => {
    const { id, address } = await scan.pay();
    await usdc.mint(address, 9n);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 1 9']);
    expect(scan.reported[0]?.sender).toBe(`0x${'0'.repeat(40)}`);
  });

  test('in one transaction with others, also to itself, is one of as many', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, () => scan.pay()));
    const [first] = payments as [{ id: string; address: Hex }];
    const transfers = payments.map(({ address }, at) => ({ to: address, units: BigInt(at + 1) }));
    await local.mined(
      await usdc.sendMany([
        ...transfers,
        { to: first.address, units: 20n },
        { to: first.address, units: 30n },
      ]),
    );
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(first.id)).toEqual(['final 3 1', 'final 3 20', 'final 3 30']);
    expect(scan.reported).toHaveLength(7);
    expect(new Set(scan.reported.map(({ transaction }) => transaction)).size).toBe(1);
  });

  test('from another address of ours is a deposit, and to itself it is nothing', async () => {
    const [from, to] = [await scan.pay(), await scan.pay()];
    const move = async (receiver: Hex, units: bigint) =>
      local.client.sendUnsignedTransaction({
        from: from.address,
        to: usdc.address,
        data: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [receiver, units] }),
        gas: 100_000n,
        gasPrice: 10n ** 10n,
      });
    await send(from.address, 8n);
    await local.client.impersonateAccount({ address: from.address });
    await local.client.setBalance({ address: from.address, value: 10n ** 18n });
    await move(from.address, 2n);
    await local.mined(await move(to.address, 3n));
    await scan.tick();
    expect(scan.standing(from.id)).toEqual(['final 3 8']);
    expect(scan.standing(to.id)).toEqual(['seen 1 3']);
  });
});

describe('what leaves an address of ours for the treasury', () => {
  test('is a sweep, reported when it is final, by any sender', async () => {
    const [one, two] = [await scan.pay(), await scan.pay()];
    await send(one.address, 5n);
    await send(two.address, 6n);
    await sweep(one, two);
    await scan.tick();
    expect(scan.swept).toEqual([]);
    await local.mine(3);
    await scan.tick(2);
    expect(scan.standing(one.id)).toEqual(['final 3 5']);
    expect(scan.swept.map(({ paymentId, units, state }) => ({ paymentId, units, state }))).toEqual(
      expect.arrayContaining([
        { paymentId: one.id, units: 5n, state: 'final' },
        { paymentId: two.id, units: 6n, state: 'final' },
      ]),
    );
    expect(scan.swept).toHaveLength(2);
  });

  test('leaves room for what comes later', async () => {
    const payment = await scan.pay();
    await send(payment.address, 5n);
    await sweep(payment);
    await send(payment.address, 6n);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(payment.id)).toEqual(['final 3 5', 'final 3 6']);
  });
});

test('money that was sent on the wrong chain is swept like any other, though its treasury is of another chain', async () => {
  const { id, address } = await scan.pay();
  await db.query('INSERT INTO evm_chains (chain_id, treasuries) VALUES (1, ARRAY[$1])', [treasury]);
  const elsewhere = accounts.stranger.address.toLowerCase() as Hex;
  scan = await openScan(db, local, { config: { receiving: { kind: 'forwarder', treasury: elsewhere } } });
  await send(address, 5n);
  await local.mine(3);
  await scan.tick();
  await sweep({ id });
  await send(address, 6n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5', 'final 3 6']);
  expect(scan.swept).toMatchObject([{ paymentId: id, units: 5n, state: 'final' }]);
});

describe('where a scan begins', () => {
  const cursor = async () => {
    const { rows } = await db.query('SELECT seen_number, final_number, start_number FROM evm_chains');
    return rows[0];
  };

  test('is the last final block, unless one is configured', async () => {
    const late = await openScan(db, local, { config: { startBlock: null } });
    await late.tick();
    const { number } = await local.client.getBlock({ blockTag: 'finalized' });
    expect((await cursor()).start_number).toBe(number);
    await emptyTables(db, 'leases, evm_chains, evm_blocks');
    const early = await openScan(db, local, { config: { startBlock: 7 } });
    await early.tick();
    expect((await cursor()).start_number).toBe(6n);
  });

  test('is waited for while the chain has not come so far', async () => {
    const head = await local.client.getBlockNumber();
    scan = await openScan(db, local, { config: { startBlock: Number(head) + 3 } });
    await scan.tick();
    expect((await cursor()).seen_number).toBeNull();
    expect((await scan.scanner.health()).faults).toMatchObject([{ code: 'not_scanned' }, {}]);
    const { id, address } = await scan.pay();
    await local.mine(2);
    await send(address, 5n);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 1 5']);
  });

  test('is where it ended before, however long ago', async () => {
    await scan.tick();
    const { start_number: begin } = await cursor();
    const { id, address } = await scan.pay();
    await send(address, 5n);
    await local.mine(100);
    scan = await openScan(db, local, { config: { startBlock: null } });
    await scan.restart();
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect((await cursor()).start_number).toBe(begin);
    expect((await cursor()).seen_number).toBe(await local.client.getBlockNumber());
  });
});
