import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseTransaction } from 'viem';
import { signTransaction } from 'viem/accounts';
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
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { createHttpSender } from '../../../kit/net/safe-fetch.ts';
import type { Hex } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { readVaultKey } from './signer.ts';

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
});

describe('the signer', () => {
  /** A program that signs with the key of the vault, changed as a test says. */
  async function program(change: (transaction: object) => object = (same) => same, key: Hex | null = null) {
    const secret = key ?? (await secretOf(bench.key.file));
    const server = createServer(async (request, response) => {
      const { transaction } = (await json(request)) as { transaction: Hex };
      const signed = await signTransaction({
        privateKey: secret,
        transaction: change(parseTransaction(transaction)) as never,
      });
      response.end(JSON.stringify({ transaction: signed }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const http = createHttpSender();
    atFileEnd(async () => {
      await http.close();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const by = { kind: 'http' as const, url: `http://127.0.0.1:${port}`, tokenFile: null };
    return () => readVaultKey({ by, address: bench.key.address }, bench.deps.chain, http);
  }
  async function secretOf(file: string): Promise<Hex> {
    return (await readFile(file, 'utf8')).trim() as Hex;
  }

  test('may be a program, of which only what it was sent is taken', async () => {
    const id = await ordered();
    const sender = (readKey: typeof bench.deps.readKey) => bench.sender({ readKey });
    await sender(await program((each) => ({ ...each, nonce: 7 }))).tick();
    await sender(await program((same) => same, `0x${'12'.repeat(32)}`)).tick();
    expect(await transactions(db)).toEqual([]);
    const { rows } = await db.query<{ fault: string }>('SELECT fault FROM evm_payout_senders');
    expect(rows[0]!.fault).toContain('signed with another key');
    const good = sender(await program());
    await good.tick();
    await ended(good);
    expect([await usdc.balanceOf(to), bench.storyOf(id)]).toEqual([dollar, ['sending', 'sent']]);
  });

  test('that has the key of sweeps is refused', async () => {
    const { sweep } = bench.deps.chain;
    const same = { sweep: { ...sweep, gasKeyFile: bench.key.file } };
    const by = { kind: 'file' as const, keyFile: bench.key.file };
    const http = createHttpSender();
    await expect(readVaultKey({ by, address: null }, same, http)).rejects.toThrow('must be another key');
    await expect(readVaultKey({ by, address: to }, bench.deps.chain, http)).rejects.toThrow('is configured');
    await http.close();
  });
});
