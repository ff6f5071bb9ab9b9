import { beforeEach, expect, test } from 'vitest';
import { startChain, treasury } from '../../../test/chain/chain.ts';
import { openScan, type Scan } from '../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import type { ReusableOwner } from '../owner.ts';
import { checksummed } from './addresses/forwarders.ts';
import type { ChainConfig, Hex } from './config/chains.ts';
import { createEvmRail } from './rail.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const other = `0x${'77'.repeat(20)}` as Hex;
const xpub =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

let scan: Scan;
let owner: ReusableOwner;
beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  scan = await openScan(db, local);
  owner = { kind: 'top-up', id: newId() };
  await scan.tick();
  await db.query('UPDATE evm_chains SET verified_at = now(), verified_assets = $1', [
    scan.chain.tokens.map(({ asset }) => asset),
  ]);
});

/** Asks for the owner's address for USDC on the chain as it is configured. */
async function address(config: ChainConfig = scan.chain): Promise<Hex> {
  const rail = createEvmRail({ chains: [config], assets: createAssets(), now: systemClock });
  expect(await transaction(db, (tx) => rail.openFor(tx, owner, 'usdc-bep20'))).toBe(true);
  const shown = (await rail.reusable(db, owner)).filter(({ asset }) => asset === 'usdc-bep20');
  expect(shown).toHaveLength(1);
  expect(await rail.paymentOfAddress(db, shown[0]!.address)).toBeNull();
  return shown[0]!.address as Hex;
}

const receivedBy = (treasuryOfChain: Hex): ChainConfig => ({
  ...scan.chain,
  receiving: { kind: 'forwarder', treasury: treasuryOfChain },
});

test('a reusable address is the same for every call, also for two at once', async () => {
  const asked = await Promise.all([address(), address(), address()]);
  expect(new Set(asked).size).toBe(1);
  const derived = { ...scan.chain, receiving: { kind: 'xpub', xpub } } as const;
  const keys = await Promise.all([address(derived), address(derived)]);
  expect(new Set([...keys, ...asked]).size).toBe(2);
});

test('after another treasury was configured the address is another one, and the first one again with the first', async () => {
  const first = await address();
  const second = await address(receivedBy(other));
  expect(second).not.toBe(first);
  expect(await address(receivedBy(treasury))).toBe(first);
});

test('what comes is reported with its owner when it is final, however old the address is', async () => {
  const to = (await address()).toLowerCase() as Hex;
  await db.query("UPDATE evm_addresses SET created_at = created_at - interval '400 days'");
  for (const units of [5n, 7n]) {
    await local.mined(await usdc.send(to, units));
    await scan.tick();
  }
  expect(scan.arrived).toEqual([]);
  await local.mine(3);
  await scan.tick();
  expect(scan.arrived).toMatchObject([
    { owner, units: 5n, asset: 'usdc-bep20', rail: 'evm:31337', state: 'final' },
    { owner, units: 7n, state: 'final' },
  ]);
  expect(new Set(scan.arrived.map(({ ledgerId }) => ledgerId)).size).toBe(2);
  expect(scan.reported).toEqual([]);
  expect(checksummed(to)).toBe(await address());
});
