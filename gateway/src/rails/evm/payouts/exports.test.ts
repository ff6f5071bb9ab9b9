import { beforeEach, describe, expect, test } from 'vitest';
import { orders, type PayoutBench } from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat, transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { vaultCall } from '../../../../test/chain/vault-fixtures.ts';
import { dollar, freshAddress, openByHand, waits } from '../../../../test/payouts/by-hand.ts';
import { expireLeases } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { checksummed } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { needsHand } from './no-signer.ts';
import { payoutFaults } from './sender-state.ts';

const byHand = await openByHand();
const { db, chain, client, usdc, usdt, vault, ordered, exported, reorg, depthOfNewest, ended } = byHand;
let bench: PayoutBench;
let to: Hex;

beforeEach(async () => {
  ({ bench, to } = await byHand.renew());
});

describe('an exported payout', () => {
  test("is paid by the vault's admin alone, without the day's limit, and once however often it is executed", async () => {
    const ids = [await ordered(), await ordered(usdt)];
    const file = await bench.file(await exported());
    expect(JSON.parse(file)).toEqual({
      version: '1.0',
      chainId: `${chain.id}`,
      createdAt: bench.clock.now().getTime(),
      meta: {
        name: 'Florin: 2 payouts',
        description: expect.stringMatching(/^1 usdc-bep20, 1 usdt-bep20 from the vault 0x/),
        checksum: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
      transactions: (await orders(db)).map(({ vault_id }, at) => ({
        to: checksummed(vault.address),
        value: '0',
        data: vaultCall('pay', [usdc, usdt][at]!.address, [{ id: vault_id, to, amount: dollar }]),
        contractMethod: null,
        contractInputsValues: null,
      })),
    });
    await ended();
    expect([await usdc.balanceOf(to), await transactions(db)]).toEqual([0n, []]);
    // The limit of this token is 0: the admin has none.
    for (let count = 0; count < 2; count += 1) await bench.execute(file);
    await ended();
    expect([await usdc.balanceOf(to), await usdt.balanceOf(to)]).toEqual([dollar, dollar]);
    for (const id of ids) expect(bench.storyOf(id)).toEqual([waits, 'sent']);
    expect(await transactions(db)).toEqual([]);
  });

  test('has a list too, and a file that stays the same until some of it is paid', async () => {
    await ordered();
    await bench.order(usdt, [{ to: freshAddress(), units: 1_500_000_000_000_000_000n }]);
    const id = await exported();
    const [first, second] = await orders(db);
    const lines = (await bench.file(id, 'list')).split('\r\n').map((line) => line.split(','));
    expect(lines).toEqual([
      ['payout_id', 'vault_id', 'asset', 'token', 'to', 'amount', 'units', 'ordered_at'],
      [first!.id, `${first!.vault_id}`, 'usdc-bep20', checksummed(usdc.address), checksummed(to), '1'].concat(
        [`${dollar}`, bench.clock.now().toISOString()],
      ),
      expect.arrayContaining([second!.id, 'usdt-bep20', '1.5', '1500000000000000000']),
      [''],
    ]);
    expect(await bench.file(id)).toBe(await bench.file(id));
    await bench.execute(await bench.file(id));
    await ended();
    expect(await bench.hand.file(db, id, 'safe')).toBeNull();
    expect(await bench.hand.find(db, id)).toMatchObject({
      orders: 2,
      paid: 2,
      waiting: 0,
      canTakeBack: false,
    });
  });

  test('is none that has signed bytes, and none that is exported already', async () => {
    await ordered();
    await client.setAutomine(false);
    await bench.sender().tick();
    expect(await transactions(db)).toMatchObject([{ state: 'sent' }]);
    expect(await bench.export()).toBeNull();
    const second = await ordered();
    expect(await bench.hand.exportable(db)).toEqual([{ asset: 'usdc-bep20', count: 1, units: dollar }]);
    const id = await exported();
    expect(await bench.export()).toBeNull();
    expect([...(await bench.hand.standings(db, [second])).values()]).toEqual([
      { exportId: id, isUsedUp: false },
    ]);
    await chain.mine();
  });

  test('is not sent by a signer that was signing it at that moment', async () => {
    const id = await ordered();
    let file = '';
    const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
      if (file === '' && calls.some(({ method }) => method === 'eth_estimateGas')) {
        file = await bench.file(await exported());
      }
      return await ask();
    });
    await bench.sender({ endpoints: { ...bench.deps.endpoints, use } }).tick();
    await ended();
    expect([file === '', await transactions(db), await usdc.balanceOf(to)]).toEqual([false, [], 0n]);
    await bench.execute(file);
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, [waits, 'sent']]);
  });

  test('is in one export, of two that two operators make at once', async () => {
    await ordered();
    let second: Promise<string | null> | undefined;
    await transaction(db, async (tx) => {
      const first = await bench.hand.export(tx, 'one');
      second = bench.export();
      expect(first?.orders).toBe(1);
    });
    expect(await second).toBeNull();
    const others = await Promise.all([ordered(), ordered(), ordered()]);
    const made = await Promise.all([bench.export(), bench.export()]);
    const counts = await Promise.all(
      made.map(async (id) => (id === null ? 0 : (await bench.hand.find(db, id))!.waiting)),
    );
    // What one has locked the other leaves out; what neither took is there for the next.
    const left = (await bench.hand.exportable(db))[0]?.count ?? 0;
    expect(counts.reduce((sum, each) => sum + each, left)).toBe(others.length);
  });

  test('is none when its transaction did not commit: the signer pays it', async () => {
    const id = await ordered();
    const crash = transaction(db, async (tx) => {
      await bench.hand.export(tx, 'operator');
      throw new Error('killed');
    });
    await expect(crash).rejects.toThrow('killed');
    await bench.sender().tick();
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('is paid once, and reported once, wherever the gateway is killed', async () => {
    const id = await ordered();
    await bench.execute(await bench.file(await exported()));
    for (const kill of ['eth_getBlockByNumber', 'eth_getLogs', 'eth_getTransactionCount', 'eth_gasPrice']) {
      const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
        const answers = await ask();
        if (calls.some(({ method }) => method === kill)) throw new Error('killed');
        return answers;
      });
      await bench.settle(bench.sender({ endpoints: { ...bench.deps.endpoints, use } })).catch(() => {});
      // What a process that was killed held runs out.
      await expireLeases(db);
    }
    await ended();
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(bench.storyOf(id).filter((each) => each === 'sent')).toHaveLength(1);
    expect(await transactions(db)).toEqual([]);
  });

  test('waits with the reason when the vault refuses it, and is paid by the same file later', async () => {
    const id = await ordered(usdt);
    const file = await bench.file(await exported());
    const held = await usdt.balanceOf(vault.address);
    await vault.call('take', [usdt.address, freshAddress(), held]);
    await bench.execute(file);
    await ended();
    expect(bench.storyOf(id)).toEqual([expect.stringContaining('by hand: the vault refused it')]);
    await usdt.mint(vault.address, held);
    await bench.execute(file);
    await ended();
    expect([await usdt.balanceOf(to), bench.storyOf(id).at(-1)]).toEqual([dollar, 'sent']);
  });

  test('waits again by hand when final blocks leave, and the signer does not pay it', async () => {
    const id = await ordered();
    const file = await bench.file(await exported());
    await bench.execute(file);
    await ended();
    await reorg(await depthOfNewest());
    expect(await usdc.balanceOf(to)).toBe(0n);
    await ended();
    expect(bench.storyOf(id)).toEqual(['sent', 'undone', waits]);
    await bench.execute(file);
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id).at(-1)]).toEqual([dollar, 'sent']);
    expect(await transactions(db)).toEqual([]);
  });
});

test('a vault without a signer pays by hand alone: what is ordered says so, and is paid once it is exported', async () => {
  const id = await ordered();
  const sender = bench.sender({ readKey: null });
  await ended(sender);
  expect(bench.storyOf(id)).toEqual([`waiting: ${needsHand}`]);
  expect(await payoutFaults(db, chain.id)).toMatchObject([{ message: `1 payout waits: ${needsHand}` }]);
  await bench.execute(await bench.file(await exported()));
  expect(await payoutFaults(db, chain.id)).toEqual([]);
  await ended(sender);
  expect([await usdc.balanceOf(to), bench.storyOf(id).at(-1)]).toEqual([dollar, 'sent']);
  expect(await transactions(db)).toEqual([]);
});
