import { beforeEach, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain.ts';
import { testDatabase } from '../../../../test/database.ts';
import type { Hex } from '../chains.ts';
import { openScan, type Scan } from './fixtures.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));

let scan: Scan;
beforeEach(async () => {
  await db.query('TRUNCATE evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses');
  scan = await openScan(db, local);
});

const faults = async () => (await scan.scanner.health()).faults.map(({ code }) => code);

/** Where TestToken keeps the balance of an address. */
async function setBalance(owner: Hex, units: bigint): Promise<void> {
  const word = (hex: string): Hex => `0x${hex.padStart(64, '0')}`;
  const { keccak256, concat } = await import('viem');
  // Its fourth variable: name, symbol and totalSupply lie before it, and decimals is in the code.
  const slot = keccak256(concat([word(owner.slice(2)), word('3')]));
  await local.client.setStorageAt({ address: usdc.address, index: slot, value: word(units.toString(16)) });
}

test('what a token does not hold is not credited, and what it does hold is', async () => {
  const honest = await scan.pay();
  const cheated = await scan.pay();
  await send(honest.address, 5n);
  await send(cheated.address, 6n);
  // Another one of 4, so that there is enough for the first of the two, and not for both.
  await send(cheated.address, 4n);
  await setBalance(cheated.address, 7n);
  expect(await usdc.balanceOf(cheated.address)).toBe(7n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(honest.id)).toEqual(['final 3 5']);
  expect(scan.standing(cheated.id)).toEqual(['final 3 6']);
  const { rows } = await db.query("SELECT units FROM evm_transfers WHERE state = 'gone'");
  expect(rows).toEqual([{ units: 4n }]);
});

test('what was not there is credited once it is', async () => {
  const { id, address } = await scan.pay();
  await send(address, 6n);
  await scan.tick();
  await setBalance(address, 5n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 6']);
  await setBalance(address, 6n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['gone 0 6']);
  expect(await faults()).toContain('not_credited');
  scan.clock.advance(3_600);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 6']);
  expect(await faults()).not.toContain('not_credited');
});

test('a token that refuses to say what it holds holds up no other, and is credited once it does', async () => {
  const [honest, broken] = [await scan.pay(), await scan.pay()];
  const usdt = local.tokens['usdt-bep20']!;
  const bytecode = (await local.client.getCode({ address: usdt.address }))!;
  await send(honest.address, 5n);
  await local.mined(await usdt.send(broken.address, 6n));
  // PUSH0 PUSH0 REVERT
  await local.client.setCode({ address: usdt.address, bytecode: '0x5f5ffd' });
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(honest.id)).toEqual(['final 3 5']);
  expect(scan.standing(broken.id)).toEqual([]);
  expect(await faults()).toContain('not_credited');
  await local.client.setCode({ address: usdt.address, bytecode });
  await local.mine(3);
  await scan.tick();
  scan.clock.advance(3_600);
  await scan.tick();
  expect(scan.standing(broken.id)).toEqual(['final 3 6']);
});
