import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../test/chain.ts';
import { testDatabase } from '../../../test/database.ts';
import { openScan, type Scan } from './scan/fixtures.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const usdt = local.tokens['usdt-bep20']!;

let scan: Scan;
beforeEach(async () => {
  await db.query('TRUNCATE evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  scan = await openScan(db, local);
});

describe('a transfer to an address of ours', () => {
  test('is seen when it is on the chain, counts up, and is final in the end', async () => {
    const { id, address } = await scan.pay();
    await usdc.send(address, 5n);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 1 5']);
    await local.mine(1);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['seen 2 5']);
    await local.mine(3);
    await scan.tick();
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(scan.told.at(-1)).toMatchObject({
      rail: 'evm:31337',
      asset: 'usdc-bep20',
      paymentId: id,
      needed: 3,
      state: 'final',
    });
  });

  test('of another listed token is told like any other', async () => {
    const { id, address } = await scan.pay();
    await usdt.send(address, 7n);
    await scan.tick();
    expect(scan.told).toMatchObject([{ paymentId: id, asset: 'usdt-bep20', units: 7n }]);
  });
});
