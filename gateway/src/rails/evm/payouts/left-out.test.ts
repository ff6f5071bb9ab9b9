import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import {
  type OrderRow,
  openPayouts,
  orders,
  type PayoutBench,
} from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat } from '../../../../test/chain/sweep-fixtures.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';
import { payoutFaults } from './sender-state.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n * dollar } });
await usdc.mint(vault.address, 1_000_000n * dollar);
let bench: PayoutBench;
let to: Hex;

beforeEach(async () => {
  bench = await openPayouts(db, chain, vault);
  to = `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
});

const ordered = async (): Promise<string> => (await bench.order(usdc, [{ to, units: dollar }]))[0]!;

/** A sender whose endpoints show no logs, as those that index them late. */
function blind() {
  const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    const answers = await ask();
    return answers.map((answer, at) => (calls[at]!.method === 'eth_getLogs' ? [] : answer));
  });
  return bench.sender({ endpoints: { ...bench.deps.endpoints, use } });
}

describe('an order that the vault has paid, while no endpoint shows the event', () => {
  test('stays under way, cannot be taken back, and has left once the event is shown', async () => {
    const id = await ordered();
    const sender = blind();
    await sender.tick();
    await bench.settle(sender);
    await bench.settle(sender);
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(bench.storyOf(id)).toEqual(['sending']);
    expect(await bench.cancel(id)).toBe(false);
    expect(await payoutFaults(db, chain.id)).toEqual([
      {
        code: 'not_sending',
        message: 'A transaction is final, and no endpoint shows what the vault did in it: it is read again',
      },
    ]);
    await bench.settle(bench.sender());
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
    await bench.settle(bench.sender());
    expect(await payoutFaults(db, chain.id)).toEqual([]);
  });

  test('makes none of the others undone, which were seen before', async () => {
    const seen = await ordered();
    await bench.sender().tick();
    await bench.settle(bench.sender());
    const id = await ordered();
    const sender = blind();
    await sender.tick();
    for (let count = 0; count < 3; count += 1) await bench.settle(sender);
    expect(bench.storyOf(seen)).toEqual(['sending', 'sent']);
    await bench.settle(bench.sender());
    expect([seen, id].map(bench.storyOf)).toEqual([
      ['sending', 'sent'],
      ['sending', 'sent'],
    ]);
  });

  test('by the admin, cannot be taken back as soon as the vault says so, and has left once it is shown', async () => {
    const id = await ordered();
    const [{ vault_id }] = (await orders(db)) as [OrderRow];
    await vault.call('pay', [usdc.address, [{ id: vault_id, to, amount: dollar }]]);
    await blind().tick();
    expect(await bench.cancel(id)).toBe(false);
    for (let count = 0; count < 3; count += 1) await bench.settle(blind());
    expect(await bench.cancel(id)).toBe(false);
    await bench.settle(bench.sender());
    await bench.settle(bench.sender());
    expect(bench.storyOf(id).at(-1)).toBe('sent');
    expect(await usdc.balanceOf(to)).toBe(dollar);
  });

  test('in name only, because the admin used its id for something else, can be taken back once that is shown', async () => {
    const id = await ordered();
    const [{ vault_id }] = (await orders(db)) as [OrderRow];
    await vault.call('pay', [usdc.address, [{ id: vault_id, to, amount: 0n }]]);
    await blind().tick();
    expect(await bench.cancel(id)).toBe(false);
    for (let count = 0; count < 2; count += 1) await bench.settle(bench.sender());
    expect(await bench.cancel(id)).toBe(true);
    expect(await usdc.balanceOf(to)).toBe(0n);
  });

  test('is sent again where a reorg took its block before the event was read', async () => {
    bench = await openPayouts(db, chain, vault, { finality: 'confirmations', confirmations: 1 });
    const id = await ordered();
    const sender = bench.sender();
    await sender.tick();
    await sender.tick();
    await chain.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
    expect(await usdc.balanceOf(to)).toBe(0n);
    for (let count = 0; count < 4; count += 1) await bench.settle(sender);
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });
});
