import { expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import { openPayouts } from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20'] ?? (await deployOddToken(chain, 'PlainToken'));
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000n * dollar } });
await usdc.mint(vault.address, 1_000n * dollar);

test('an order is paid within twenty seconds of a kill in the middle of a round, by another process', async () => {
  const bench = await openPayouts(db, chain, vault);
  const to: Hex = `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
  const [id = ''] = await bench.order(usdc, [{ to, units: dollar }]);
  const { use } = endpointsThat(bench.deps.endpoints, async () => await new Promise<never>(() => {}));
  // It comes no further, and lives on for no more than this test.
  void bench.sender({ endpoints: { ...bench.deps.endpoints, use } }).tick();
  const seconds = async () => {
    const { rows } = await db.query<{ left: number }>(
      `SELECT extract(epoch FROM held_until - now())::float8 AS left FROM leases WHERE name LIKE 'evm payouts %'`,
    );
    return rows[0]?.left ?? null;
  };
  await expect.poll(seconds).not.toBeNull();
  // The next look of a process comes two seconds after that at the latest.
  expect(await seconds()).toBeLessThanOrEqual(15);
  await bench.sender().tick();
  expect(bench.storyOf(id)).toEqual([]);
  await expireLeases(db);
  await bench.sender().tick();
  for (let count = 0; count < 4; count += 1) await bench.settle(bench.sender());
  expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
});
