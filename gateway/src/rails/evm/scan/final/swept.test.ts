import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { startChain, treasury } from '../../../../../test/chain/chain.ts';
import { openScan } from '../../../../../test/chain/scan-fixtures.ts';
import { testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const send = async (to: Hex, units: bigint) => local.mined(await usdc.send(to, units));

/** Moves all that an address holds to the treasury, as a sweep does. */
async function sweep(from: Hex): Promise<void> {
  await local.client.impersonateAccount({ address: from });
  await local.client.setBalance({ address: from, value: 10n ** 18n });
  const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
  const args = [treasury, await usdc.balanceOf(from)] as const;
  const data = encodeFunctionData({ abi, functionName: 'transfer', args });
  const call = { from, to: usdc.address, data, gas: 100_000n, gasPrice: 10n ** 10n };
  await local.mined(await local.client.sendUnsignedTransaction(call));
}

test('what comes to an address is credited whole after a sweep took what came before', async () => {
  const scan = await openScan(db, local);
  const { id, address } = await scan.pay();
  await send(address, 5n);
  await local.mine(3);
  await scan.tick();
  expect(scan.standing(id)).toEqual(['final 3 5']);
  await sweep(address);
  await send(address, 7n);
  await local.mine(3);
  await scan.tick(2);
  expect(scan.standing(id)).toEqual(['final 3 5', 'final 3 7']);
});
