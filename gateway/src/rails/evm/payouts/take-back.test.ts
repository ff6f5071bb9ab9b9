import { beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../../../test/chain/chain.ts';
import { orders, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployOddToken } from '../../../../test/chain/test-tokens.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { dollar, openByHand, waits } from '../../../../test/payouts/by-hand.ts';
import { transaction } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import { createEvmSending } from './sending.ts';

const byHand = await openByHand();
const { db, chain, client, usdc, vault, ordered, exported, reorg, depthOfNewest, ended } = byHand;
let bench: PayoutBench;
let to: Hex;

beforeEach(async () => {
  ({ bench, to } = await byHand.renew());
});

describe('an export that is taken back', () => {
  test('is paid by the signer, and its file pays nothing afterwards', async () => {
    const id = await ordered();
    const made = await exported();
    const file = await bench.file(made);
    await bench.sender().tick();
    expect([await bench.takeBack(made), await bench.takeBack(made)]).toEqual([1, 0]);
    await ended();
    await bench.execute(file);
    await ended();
    expect(bench.storyOf(id)).toEqual([waits, 'sending', 'sent']);
    expect(await usdc.balanceOf(to)).toBe(dollar);
  });

  test('is paid once when its file is executed before what the signer has sent', async () => {
    const id = await ordered();
    const made = await exported();
    const file = await bench.file(made);
    await bench.takeBack(made);
    await client.setAutomine(false);
    await bench.sender().tick();
    expect(await transactions(db)).toMatchObject([{ state: 'sent' }]);
    const {
      transactions: [call],
    } = JSON.parse(file) as { transactions: [{ to: Hex; data: Hex }] };
    await client.sendTransaction({
      ...{ account: accounts.admin, chain: null, to: call.to, data: call.data, gas: 1_500_000n },
      ...{ maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 50n * 10n ** 9n },
    });
    await chain.mine();
    await client.setAutomine(true);
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id).at(-1)]).toEqual([dollar, 'sent']);
  });

  test('is kept while another vault is configured: neither is it sent, nor exported for that one', async () => {
    const [first, second] = [await ordered(), await exported()];
    const other = await deployVault(chain, { by: accounts.stranger.address.toLowerCase() as Hex });
    const { chain: config, vault: known } = bench.deps;
    const moved = { ...known, address: other.address };
    const sending = createEvmSending({ ...config, vault: moved }, moved, bench.clock.now);
    const takeBack = () => transaction(db, (tx) => sending.byHand!.takeBack(tx, second));
    expect(await takeBack()).toBe(0);
    expect(await sending.byHand!.find(db, second)).toMatchObject({ waiting: 1, canTakeBack: false });
    const file = await bench.file(second);
    await bench.takeBack(second);
    expect(await sending.byHand!.exportable(db)).toEqual([]);
    await ended(bench.sender({ vault: moved }));
    expect(await transactions(db)).toEqual([]);
    // The events of the vault that was are still read.
    await bench.execute(file);
    await ended(bench.sender({ vault: moved }));
    expect(bench.storyOf(first).at(-1)).toBe('sent');
  });
});

describe('an exported payout is cancelled', () => {
  test('only when its vault has used its id up: until then its file could pay it, taken back or not', async () => {
    const id = await ordered();
    const made = await exported();
    const [file, useUp] = [await bench.file(made), await bench.file(made, 'use-up')];
    expect(await bench.cancel(id)).toBe(false);
    await bench.takeBack(made);
    bench.stop.isStopped = true;
    expect(await bench.cancel(id)).toBe(false);
    expect(await bench.execute(useUp)).toMatchObject([{ logs: [{ name: 'Paid', amount: 0n }] }]);
    // It counts when it is final.
    expect(await bench.cancel(id)).toBe(false);
    await ended();
    expect(bench.storyOf(id).at(-1)).toContain('The vault has used its id up');
    bench.stop.isStopped = false;
    await ended();
    expect([await transactions(db), await bench.export()]).toEqual([[], null]);
    await reorg(await depthOfNewest());
    await ended();
    // Taken back, it would be paid now: the id is free again.
    expect(bench.storyOf(id).at(-1)).toBe('sent');
    await bench.execute(file);
    expect(await usdc.balanceOf(to)).toBe(dollar);
  });

  test('once for all: its file pays nothing then', async () => {
    const id = await ordered();
    const made = await exported();
    const file = await bench.file(made);
    await bench.execute(await bench.file(made, 'use-up'));
    await ended();
    expect([...(await bench.hand.standings(db, [id])).values()]).toEqual([
      { exportId: made, isUsedUp: true },
    ]);
    expect(await bench.takeBack(made)).toBe(0);
    expect(await bench.hand.find(db, made)).toMatchObject({ waiting: 0, canUseUp: false });
    expect(await bench.cancel(id)).toBe(true);
    await bench.execute(file);
    await ended();
    expect([await usdc.balanceOf(to), (await orders(db))[0]!.state]).toEqual([0n, 'cancelled']);
  });

  test('by nothing else: what its token refuses for ever stays queued, where another would fail', async () => {
    const token = await deployOddToken(chain, 'BlacklistingToken', { asset: 'csk-bep20' });
    await token.mint(vault.address, 10n * dollar);
    await vault.call('setLimit', [token.address, 10n * dollar]);
    ({ bench, to } = await byHand.renew());
    const exportedOne = await ordered(token);
    await bench.takeBack(await exported());
    const other = await ordered(token);
    await token.call('bar', to, true);
    // A transaction that paid others and not these two.
    await db.query('UPDATE evm_payouts SET was_refused = true');
    await bench.sender().tick();
    expect(bench.storyOf(other)).toEqual([expect.stringMatching(/^failed: The token refuses it: .*barred/)]);
    expect(bench.storyOf(exportedOne)).toEqual([expect.stringMatching(/^waiting: The token refuses it/)]);
  });
});
