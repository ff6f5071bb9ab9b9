import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startChain, treasury } from '../../gateway/test/chain/chain.ts';
import { databaseUrl } from '../../gateway/test/support/database.ts';
import { seedBalance } from '../../gateway/test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../gateway/test/support/running.ts';
import { emptyDirectory, runFlorin } from './florin.ts';

// What an operator asks of the installation's own database, beside a gateway that reads a chain.

/** Processes, on a machine that also runs other tests. */
const timeout = 240_000;
const coin = 10n ** 18n;
const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
/** What the treasury had before is nobody's. */
const fromNow = { finality: 'confirmations', start_block: undefined };
let app: RunningApp;
let env: Record<string, string>;

beforeAll(async () => {
  const directory = await emptyDirectory();
  const configFile = join(directory, 'florin.json');
  await writeFile(configFile, JSON.stringify({ chains: [chain.entry(fromNow)] }));
  await usdc.mint(treasury, 40n * coin);
  await chain.mine(5);
  app = await startApp({ env: { CONFIG_FILE: configFile } });
  env = {
    DATABASE_URL: databaseUrl(app.connection),
    DATA_DIR: join(directory, 'data'),
    MASTER_KEY_FILE: join(directory, 'master.key'),
    CONFIG_FILE: configFile,
  };
}, timeout);

const florin = (...words: string[]) => runFlorin(words, env);

test('florin fees shows what was earned and not withdrawn, and what is on its way', { timeout }, async () => {
  expect(await florin('fees')).toEqual({ code: 0, output: 'No fee was earned yet.\n', errors: '' });
  const live = { mode: 'live', asset: 'usdc-bep20' } as const;
  await seedBalance(app.db, { ...live, kind: 'fees', owner: '', units: 3n * coin });
  await seedBalance(app.db, { ...live, kind: 'fees_out', owner: '', units: coin / 2n });
  await seedBalance(app.db, { ...live, mode: 'test', kind: 'fees', owner: '', units: 7n * coin });
  expect((await florin('fees')).output).toBe('usdc-bep20: 3, and 0.5 on its way out\n');
  expect(JSON.parse((await florin('fees', '--json')).output)).toEqual({
    items: [{ asset: 'usdc-bep20', earned: '3', leaving: '0.5' }],
  });
});

test('florin reserves compares what is owed with what the chain shows, and its exit code says the result', {
  timeout,
}, async () => {
  // Until the gateway has read the chain.
  await expect
    .poll(async () => (await florin('reserves')).code, { timeout: 120_000, interval: 1_000 })
    .toBe(0);
  expect((await florin('reserves')).output).toMatch(
    new RegExp(
      [
        '^usdc-bep20 at block \\d+',
        '  owed: fees 3.5',
        '  held: treasury 40',
        '  -3.5 is with seed',
        '  40 was in the treasury or vault before its transfers were read',
        '  no difference\n$',
      ].join('\n'),
    ),
  );
  // As if five were gone.
  await app.db.query('UPDATE evm_openings SET units = units + $2 WHERE token = $1 AND units > 0', [
    usdc.address,
    5n * coin,
  ]);
  const short = await florin('reserves');
  expect([short.code, short.errors]).toEqual([2, '']);
  expect(short.output).toMatch(/\n {2}DIFFERENCE: -5, which nothing explains\n$/);
  const json = await florin('reserves', '--json');
  expect([json.code, JSON.parse(json.output)]).toMatchObject([
    2,
    { items: [{}, { asset: 'usdc-bep20', owed: { fees: '3.5' }, difference: '-5' }, {}] },
  ]);
  const silent = chain.entry({ ...fromNow, rpc: ['http://127.0.0.1:9'] });
  await writeFile(env.CONFIG_FILE ?? '', JSON.stringify({ chains: [silent] }));
  const missing = await florin('reserves');
  expect([missing.code, missing.output]).toEqual([1, '']);
  expect(missing.errors).toMatch(
    /^usdc-bep20 could not be compared: 127\.0\.0\.1:9 .+\nusdt-bep20 could not be compared: /,
  );
});
