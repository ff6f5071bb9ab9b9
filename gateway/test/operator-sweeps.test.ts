import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { checksummed } from '../src/rails/evm/addresses/forwarders.ts';
import { createSweepMetrics } from '../src/rails/evm/sweep/metrics.ts';
import { startChain, treasury } from './chain/chain.ts';
import { addressOf, openBench } from './chain/sweep-fixtures.ts';
import { deployOddToken } from './chain/test-tokens.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const odd = await deployOddToken(chain, 'PausableToken', { asset: 'usdt-bep20' });
const directory = await testFolder();

test('an operator sees what was swept, by which transaction, for how much, and what could not be', async () => {
  const file = join(directory, 'florin.json');
  const entry = chain.entry({ explorer: 'https://scan.example', start_block: 1_000_000 });
  await writeFile(file, JSON.stringify({ chains: [entry] }));
  const app = await startApp({ env: { CONFIG_FILE: file } });
  const desk = await operatorDesk(await openConsole(app));
  expect(await desk.get('/sweeps')).toEqual({ items: [], next_cursor: null, senders: [], left_behind: [] });

  const bench = await openBench(app.db, chain);
  await bench.deposit(usdc, [3n * 10n ** 18n, 4n * 10n ** 18n]);
  const [paused] = await bench.deposit(odd, [10n ** 18n]);
  await odd.call('pause', true);
  const sweeper = bench.sweeper();
  await sweeper.tick();
  await sweeper.tick();

  const { hash } = (await chain.client.getBlock({ includeTransactions: true })).transactions[0]!;
  expect(await desk.get('/sweeps')).toEqual({
    items: [
      {
        id: expect.any(String),
        chain: 'Local',
        nonce: 0,
        deposits: 2,
        asset: 'usdc-bep20',
        amount: '7',
        unit: null,
        treasury: checksummed(treasury),
        transaction: hash,
        transaction_url: `https://scan.example/tx/${hash}`,
        state: 'mined',
        succeeded: true,
        gas_paid: expect.stringMatching(/^0\.000\d+ ETH$/),
        fault: null,
        created_at: bench.clock.now().toISOString(),
      },
    ],
    next_cursor: null,
    senders: [
      {
        chain: 'Local',
        gas_key: checksummed(bench.key.address),
        gas_balance: expect.stringMatching(/^0\.99\d+ ETH$/),
        faults: [],
        planned_at: bench.clock.now().toISOString(),
      },
    ],
    left_behind: [
      {
        chain: 'Local',
        asset: 'usdt-bep20',
        address: checksummed(addressOf(paused!)),
        reason: expect.stringContaining('paused'),
        tries: 1,
        retry_at: expect.any(String),
      },
    ],
  });
  const refused = await desk.call('GET', `${root}/sweeps?cursor=nonsense`);
  expect(refused.status).toBe(400);

  const registry = new Registry();
  createSweepMetrics(registry, app.db);
  const text = await registry.metrics();
  expect(text).toContain('florin_sweeps_transactions{chain="evm:31337",state="mined"} 1');
  expect(text).toContain('florin_sweeps_left_behind{chain="evm:31337"} 1');
  expect(text).toMatch(/florin_sweeps_gas_key_coins\{chain="evm:31337"\} 0\.99/);
});
