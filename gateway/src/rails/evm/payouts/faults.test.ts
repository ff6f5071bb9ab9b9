import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../test/chain/chain.ts';
import {
  type OrderRow,
  openPayouts,
  orders,
  type PayoutBench,
} from '../../../../test/chain/payout-fixtures.ts';
import { endpointsThat, transactions } from '../../../../test/chain/sweep-fixtures.ts';
import { deployVault } from '../../../../test/chain/vault-fixtures.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import type { Hex } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

const { db } = await testDatabase();
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const { client } = chain;
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const vault = await deployVault(chain, { limits: { [usdc.address]: 1_000_000n * dollar } });
await usdc.mint(vault.address, 1_000_000n * dollar);
let bench: PayoutBench;
let to: Hex;

beforeEach(async () => {
  await client.setAutomine(true);
  bench = await openPayouts(db, chain, vault);
  to = `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
});

const ordered = async (units = dollar): Promise<string> => (await bench.order(usdc, [{ to, units }]))[0]!;
const reorg = (depth: number) => client.request({ method: 'anvil_reorg', params: [depth, []] } as never);

/** Endpoints that say something else to transactions, which arrive all the same or do not. */
function saying(message: string, { arrives }: { arrives: boolean }): Endpoints {
  const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
    if (!calls.some(({ method }) => method === 'eth_sendRawTransaction')) return await ask();
    if (arrives) await ask();
    throw new RpcFault('refused', message);
  });
  return { ...bench.deps.endpoints, use };
}

/** Ticks and final blocks until nothing changes any more. */
async function ended(sender = bench.sender()): Promise<void> {
  for (let count = 0; count < 4; count += 1) await bench.settle(sender);
}

describe('an order is paid exactly once', () => {
  test.each([
    ['504 Gateway Timeout', true],
    ['timeout', false],
    ['already known', true],
    ['nonce too low', true],
    ['something nobody has heard of', false],
  ])('when an endpoint says "%s" to its transaction (arrived: %s)', async (message, arrives) => {
    const id = await ordered();
    await bench.sender({ endpoints: saying(message, { arrives }) }).tick();
    await ended();
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
  });

  test('wherever the gateway is killed', async () => {
    const id = await ordered();
    const kills = [
      'eth_call',
      'eth_estimateGas',
      'eth_sendRawTransaction',
      'eth_getTransactionReceipt',
      'eth_getLogs',
    ];
    for (const kill of kills) {
      const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
        if (calls.some(({ method }) => method === kill)) throw new Error('killed');
        return await ask();
      });
      const sender = bench.sender({ endpoints: { ...bench.deps.endpoints, use } });
      await bench.settle(sender).catch(() => {});
      // What a process that was killed held runs out.
      await expireLeases(db);
    }
    await ended();
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(bench.storyOf(id).at(-1)).toBe('sent');
    expect(await transactions(db)).toMatchObject([{ state: 'final' }]);
  });

  test('by two senders at once', async () => {
    const id = await ordered();
    const senders = [bench.sender(), bench.sender(), bench.sender()];
    await Promise.all(senders.map((each) => each.tick()));
    await Promise.all(senders.map((each) => each.tick()));
    await ended();
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
  });

  test('by a sender that another one overtakes, which has settled it by then', async () => {
    const id = await ordered();
    await bench.sender().tick();
    await chain.mine(3);
    await bench.final();
    const other = bench.sender();
    const { use } = endpointsThat(bench.deps.endpoints, async (calls, ask) => {
      const answers = await ask();
      if (!calls.some(({ method }) => method === 'eth_gasPrice')) return answers;
      await expireLeases(db);
      await other.tick();
      return answers;
    });
    await bench.sender({ endpoints: { ...bench.deps.endpoints, use } }).tick();
    expect(await transactions(db)).toMatchObject([{ state: 'final' }]);
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('when the admin pays it by hand while it waits', async () => {
    const id = await ordered();
    const [{ vault_id }] = (await orders(db)) as [OrderRow];
    bench.stop.isStopped = true;
    await vault.call('pay', [usdc.address, [{ id: vault_id, to, amount: dollar }]]);
    await ended();
    expect(bench.storyOf(id)).toEqual(['sent']);
    bench.stop.isStopped = false;
    await ended();
    expect(await transactions(db)).toEqual([]);
    expect(await usdc.balanceOf(to)).toBe(dollar);
  });

  test('when its transaction is stuck, for an eighth more under the same nonce', async () => {
    const id = await ordered();
    await client.setAutomine(false);
    const sender = bench.sender();
    await sender.tick();
    bench.clock.advance(61);
    await sender.tick();
    await chain.mine();
    await client.setAutomine(true);
    await ended();
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 2 }]);
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('when gas costs more than its transaction offers, for what it costs then', async () => {
    const id = await ordered();
    await client.setAutomine(false);
    const sender = bench.sender();
    await sender.tick();
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20n * 10n ** 9n });
    await chain.mine();
    expect(await usdc.balanceOf(to)).toBe(0n);
    bench.clock.advance(61);
    await sender.tick();
    await chain.mine();
    await client.setAutomine(true);
    await ended();
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 2 }]);
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('when gas costs more than is ever offered, once it is cheaper', async () => {
    const id = await ordered();
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 300n * 10n ** 9n });
    await chain.mine();
    await bench.sender().tick();
    expect(bench.storyOf(id)).toEqual([
      expect.stringMatching(/^waiting: Gas costs .*sweep.max_gas_price_gwei$/),
    ]);
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n });
    await chain.mine();
    await ended();
    expect([await usdc.balanceOf(to), bench.storyOf(id).slice(1)]).toEqual([dollar, ['sending', 'sent']]);
  });
});

describe('a nonce', () => {
  test('that somebody else used puts the order back, and it is paid under the next one', async () => {
    const id = await ordered();
    await client.setAutomine(false);
    await bench.sender({ endpoints: saying('timeout', { arrives: false }) }).tick();
    const call = { account: bench.key.account, chain: null, to: bench.key.address, value: 0n, nonce: 0 };
    await client.sendTransaction({ ...call, gas: 21_000n });
    await chain.mine();
    await client.setAutomine(true);
    await ended();
    await ended();
    expect(bench.storyOf(id)).toEqual([
      'sending',
      'waiting: Another program used the nonce of its transaction',
      'sending',
      'sent',
    ]);
    expect(await transactions(db)).toMatchObject([
      { nonce: 0n, state: 'replaced' },
      { nonce: 1n, state: 'final' },
    ]);
    expect(await usdc.balanceOf(to)).toBe(dollar);
  });
});

describe('a reorg', () => {
  test('that takes the transaction out has it sent again', async () => {
    const id = await ordered();
    const sender = bench.sender();
    await sender.tick();
    await sender.tick();
    await reorg(1);
    expect(await usdc.balanceOf(to)).toBe(0n);
    await sender.tick();
    await ended(sender);
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('of final blocks undoes the payout, and it is paid again by another block', async () => {
    const id = await ordered();
    const sender = bench.sender();
    await sender.tick();
    await ended(sender);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
    const { rows } = await db.query<{ number: bigint }>(
      'SELECT max(block_number) AS number FROM evm_vault_events',
    );
    const head = await client.getBlockNumber();
    await reorg(Number(head - rows[0]!.number) + 1);
    expect(await usdc.balanceOf(to)).toBe(0n);
    await ended(sender);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent', 'undone', 'sent']);
    expect(await usdc.balanceOf(to)).toBe(dollar);
    const events = await db.query<{ state: string }>(
      `SELECT e.state FROM evm_vault_events e JOIN evm_payouts p USING (vault_id) WHERE p.id = $1 ORDER BY e.state`,
      [id],
    );
    expect(events.rows.map(({ state }) => state)).toEqual(['final', 'gone']);
  });

  test('that puts the transaction into another block, before it is final or after, leaves the order paid once', async () => {
    const id = await ordered();
    const sender = bench.sender();
    await sender.tick();
    await sender.tick();
    await moved(2, 1);
    await sender.tick();
    await ended(sender);
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
    const head = await client.getBlockNumber();
    const depth = Number(head - (await blockOfEvent())) + 1;
    await moved(depth, 2);
    await ended(sender);
    // The event is final in its new block before anything is said of the old one.
    expect(bench.storyOf(id)).toEqual(['sending', 'sent']);
    expect(await usdc.balanceOf(to)).toBe(dollar);
    expect(await transactions(db)).toMatchObject([{ nonce: 0n, state: 'final', attempts: 1 }]);
    expect((await eventsOf(id)).sort()).toEqual(['final', 'gone']);
  });
});

test('a nonce that a reorg gave free and another order got, before the reorg was seen, pays both once', async () => {
  const id = await ordered();
  const sender = bench.sender();
  await sender.tick();
  await ended(sender);
  const head = await client.getBlockNumber();
  await reorg(Number(head - (await blockOfEvent())) + 1);
  // The scan has not read the chain since.
  const [other] = await bench.order(usdc, [{ to, units: 2n * dollar }]);
  await sender.tick();
  expect(await transactions(db)).toMatchObject([{ nonce: 0n }, { nonce: 0n }]);
  await ended(sender);
  await ended(sender);
  expect([id, other!].map((each) => bench.storyOf(each).at(-1))).toEqual(['sent', 'sent']);
  expect(await usdc.balanceOf(to)).toBe(3n * dollar);
});

const blockOfEvent = async (): Promise<bigint> => {
  const { rows } = await db.query<{ number: bigint }>(
    "SELECT max(block_number) AS number FROM evm_vault_events WHERE state = 'final'",
  );
  return rows[0]!.number;
};

async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await db.query<{ state: string }>(
    'SELECT e.state FROM evm_vault_events e JOIN evm_payouts p USING (vault_id) WHERE p.id = $1',
    [id],
  );
  return rows.map(({ state }) => state);
}

/** Replaces the last blocks, with the transaction of the payout in the one at `place` among them. */
async function moved(depth: number, place: number): Promise<void> {
  const { rows } = await db.query<{ signed: Hex }>('SELECT signed FROM evm_attempts');
  await client.request({ method: 'anvil_reorg', params: [depth, [[rows[0]!.signed, place]]] } as never);
}
