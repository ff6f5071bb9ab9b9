import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accounts, startChain } from '../../../test/chain/chain.ts';
import { addressOf, type Bench, openBench, transactions } from '../../../test/chain/sweep-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { databaseUrl, testDatabase } from '../../../test/support/database.ts';
import { openShop } from '../../../test/support/payment-fixtures.ts';
import { systemClock } from '../../kit/clock.ts';
import { createAssets } from '../../money/assets.ts';
import { createEvmRail } from '../../rails/evm/rail.ts';
import { nativeCoin } from '../../rails/evm/send/words.ts';
import { type SweepOptions, sweep } from './sweep.ts';

const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
let directory: string;
let env: Record<string, string>;
let bench: Bench;

beforeEach(async () => {
  const database = await testDatabase();
  bench = await openBench(database.db, chain);
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  env = {
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: databaseUrl(database.connection),
    MASTER_KEY_FILE: join(directory, 'master.key'),
    CONFIG_FILE: join(directory, 'florin.json'),
  };
  await configure({ native: { usd: '2000' } });
});
afterEach(() => rm(directory, { recursive: true }));

const configure = (changes: object) =>
  writeFile(env.CONFIG_FILE!, JSON.stringify({ chains: [chain.entry(changes)] }));
const run = (options: Partial<SweepOptions> = {}) =>
  printed(() => sweep(env, { dryRun: false, all: false, keyFile: bench.key.file, ...options }));

test('a dry run shows what would be sent, what waits and what it costs, without a key, and changes nothing', async () => {
  const payments = await bench.deposit(usdc, [50n * dollar, 7n * dollar, dollar / 1_000n]);
  const { code, output } = await run({ dryRun: true, keyFile: undefined });
  expect(code).toBe(0);
  expect(output).toMatch(
    /^Local \(31337\): gas costs \d\.\d{3} gwei\n {2}sweep 2 deposits, 57 usdc-bep20 \(57\.00 USD\), for about 0\.000\d+ ETH \(0\.\d\d USD\)\n {2}wait {2}1 deposit, 0\.001 usdc-bep20 \(0\.00 USD\): not worth the gas yet; --all sweeps them too\n$/,
  );
  expect(await bench.left(usdc, payments)).not.toContain(0n);
  expect(await transactions(bench.db)).toEqual([]);
});

test('a sweep shows which transaction moved what, and the next one that nothing is left', async () => {
  const payments = await bench.deposit(usdc, [50n * dollar, dollar / 1_000n]);
  const { code, output } = await run({ all: true });
  expect(code).toBe(0);
  expect(output).toMatch(
    /\n {2}sweep 2 deposits, 50.001 usdc-bep20.*\n {2}nonce 0 is mined, for 0\.000\d+ ETH: 0x\w{64}\n$/,
  );
  expect(await bench.left(usdc, payments)).toEqual([0n, 0n]);
  expect((await run()).output).toMatch(/: gas costs .*\n {2}there is nothing to sweep\n/);
});

test('without a key the command says how to set one', async () => {
  const { code, output } = await run({ keyFile: undefined });
  expect(code).toBe(1);
  expect(output).toMatch(
    /^Local \(31337\): there is no key that pays for gas\. .*--key-file.*sweep\.gas_key_file/,
  );
});

test('what was sent by mistake is recovered by the references of its payments', async () => {
  const rail = createEvmRail({
    chains: [bench.deps.chain],
    assets: createAssets(),
    now: systemClock,
  });
  const shop = await openShop(bench.db, { approved: true }, { mode: 'live', rail });
  const [one, other] = [await shop.create(), await shop.create()];
  await chain.mined(await chain.transact(accounts.payer, addressOf(one.id), '0x', dollar));
  const payments = `${one.reference},${other.reference}`;
  const { code, output } = await run({ token: nativeCoin, payments });
  expect(code).toBe(0);
  expect(output).toContain('sweep 1 deposit, 1 ETH');
  expect(output).toContain(`leave ${addressOf(other.id)}, 0 ETH: the chain shows nothing at this address`);
  expect(await chain.client.getBalance({ address: addressOf(one.id) })).toBe(0n);
});

test.each<[Partial<SweepOptions>, string]>([
  [{ chain: '5' }, 'there is no chain 5 in the configuration'],
  [{ token: nativeCoin }, '--token and --payment go together'],
  [{ token: '0x12', payments: 'a' }, '0x12 is not the address of a token'],
  [{ token: nativeCoin, payments: 'order-1' }, 'there is no live payment order-1'],
])('%j is refused: %s', async (options, why) => {
  await expect(run(options)).rejects.toThrow(why);
});

test('an endpoint that is down is reported without its address', async () => {
  await configure({ rpc: ['http://127.0.0.1:1/secret-key'] });
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toContain('Local (31337): 127.0.0.1:1 #1');
  expect(output).not.toContain('secret-key');
});
