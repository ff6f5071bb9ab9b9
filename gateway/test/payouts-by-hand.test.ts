import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exportOfVault, showExports, takeExportBack } from '../src/commands/treasury/vault-exports.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { startChain } from './chain/chain.ts';
import type { SafeFile } from './chain/payout-fixtures.ts';
import { admin, deployVault } from './chain/vault-fixtures.ts';
import type { Api } from './support/api.ts';
import { printed } from './support/commands-fixtures.ts';
import { type OpenConsole, openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { databaseUrl } from './support/database.ts';
import { seedBalance } from './support/fixtures.ts';
import { type OperatorDesk, operatorDesk, root } from './support/operator.ts';
import { type RunningApp, startApp } from './support/running.ts';

// A vault without a signer: what is ordered is exported by an operator, and paid by the vault's admin.

const waits = { timeout: 120_000, interval: 200 };
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const vault = await deployVault(chain);
await usdc.mint(vault.address, 1_000n * dollar);
const rail = `evm:${chain.id}`;
const directory = await testFolder();

type Network = {
  exportable: { asset: string; count: number; amount: string }[];
  exports: { id: string; payouts: number; paid: number; waiting: number; can_take_back: boolean }[];
};
type Data = { id: string; status: string; failure: string | null; by_hand: object | null; items: Network[] };

let app: RunningApp;
let people: OpenConsole;
let owner: Api;
let desk: OperatorDesk;
let env: Record<string, string>;

beforeAll(async () => {
  const file = join(directory, 'florin.json');
  await writeFile(file, JSON.stringify({ chains: [chain.entry({ vault: { admin } })] }));
  app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  env = {
    ...{ CONFIG_FILE: file, DATA_DIR: directory, DATABASE_URL: databaseUrl(app.connection) },
    MASTER_KEY_FILE: join(directory, 'master.key'),
  };
  people = await openConsole(app);
  owner = await people.as('owner');
  desk = await operatorDesk(people);
  const business = { kind: 'business', owner: app.integrationId, mode: 'live' } as const;
  await seedBalance(app.db, { ...business, asset: 'usdc-bep20', units: 100n * dollar });
  const open = { enabled: true, approvals: 0, approve_above: {}, known_addresses_only: false };
  await owner('PUT', `${people.live}/payout-settings`, { body: open });
});

const freshAddress = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
async function order(to: Hex): Promise<string> {
  const wanted = { asset: 'usdc-bep20', amount: '10', to };
  const { status, body } = await owner<Data>('POST', `${people.live}/payouts`, {
    body: wanted,
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  expect({ status, message: body.message }).toMatchObject({ status: 200 });
  return body.data.id;
}
const payout = async (id: string): Promise<Data> =>
  (await owner<Data>('GET', `${people.live}/payouts/${id}`)).body.data;
const makeExport = (by: Api = desk.call) =>
  by<Data>('POST', `${root}/payout-exports`, { body: { rail }, headers: {} });
const network = async (): Promise<Network> =>
  (await desk.call<Data>('GET', `${root}/payout-exports`)).body.data.items[0]!;
async function file(id: string, kind: string): Promise<string> {
  const answer = await desk.call('GET', `${root}/payout-exports/${id}/file?kind=${kind}`);
  expect(answer.headers.get('content-disposition')).toContain(
    `attachment; filename="payouts-${chain.id}-${id}`,
  );
  return answer.text;
}
async function execute(text: string): Promise<void> {
  for (const { data } of (JSON.parse(text) as SafeFile).transactions) {
    expect(await vault.send(admin, data)).toMatchObject({ succeeded: true });
  }
}
/** What the vault did is read at once, and is final by new blocks. */
async function reached(id: string, expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await chain.mine();
      await app.db.query(`UPDATE evm_payout_senders SET read_at = '2000-01-01'`);
      return await payout(id);
    }, waits)
    .toMatchObject(expected);
}

test('what is ordered is exported, paid by the admin, and complete when the chain shows it', async () => {
  const to = freshAddress();
  const id = await order(to);
  await reached(id, {
    status: 'queued',
    failure: expect.stringContaining('The vault has no signer'),
    by_hand: null,
  });
  expect((await makeExport(owner)).status).toBe(403);
  const made = await makeExport();
  expect(made).toMatchObject({
    status: 200,
    body: { data: { payouts: 1, waiting: 1, can_take_back: true } },
  });
  const { id: exportId } = made.body.data;
  expect(await desk.lastChange()).toMatchObject({
    action: 'exported payouts to be paid by hand',
    subject: { kind: 'payout export', id: exportId },
    after: { rail, payouts: 1 },
  });
  expect((await makeExport()).body).toMatchObject({ error: 'nothing_to_export' });
  await reached(id, { status: 'queued', by_hand: { is_exported: true, is_used_up: false } });
  // Neither the merchant nor the operator can end it: the file can be executed.
  const cancelled = await owner('POST', `${people.live}/payouts/${id}/cancel`, { body: {} });
  expect(cancelled).toMatchObject({ status: 409, body: { message: 'Payout can no longer be cancelled' } });
  const failed = await desk.call('POST', `${root}/payouts/${id}/fail`, { body: { reason: 'no' } });
  expect(failed.body).toMatchObject({ error: 'payout_not_cancellable' });
  expect(await file(exportId, 'list')).toContain(`${id},`);
  await execute(await file(exportId, 'safe'));
  await reached(id, { status: 'completed', by_hand: null });
  expect(await usdc.balanceOf(to)).toBe(10n * dollar);
  expect((await network()).exports[0]).toMatchObject({
    id: exportId,
    paid: 1,
    waiting: 0,
    can_take_back: false,
  });
  const ended = await desk.call('GET', `${root}/payout-exports/${exportId}/file?kind=safe`);
  expect(ended.body).toMatchObject({ error: 'export_ended' });
});

test('one whose id was used up ends without being paid, and its money is available again', async () => {
  const to = freshAddress();
  const id = await order(to);
  const { id: exportId } = (await makeExport()).body.data;
  const back = await desk.call('POST', `${root}/payout-exports/${exportId}/take-back`, { body: {} });
  expect(back.status).toBe(200);
  expect(await desk.lastChange()).toMatchObject({
    action: 'took exported payouts back',
    after: { payouts: 1 },
  });
  const again = await desk.call('POST', `${root}/payout-exports/${exportId}/take-back`, { body: {} });
  expect(again.body).toMatchObject({ error: 'export_kept' });
  const kept = await owner('POST', `${people.live}/payouts/${id}/cancel`, { body: {} });
  expect(kept.body).toMatchObject({ error: 'payout_not_cancellable' });
  await execute(await file(exportId, 'use-up'));
  await reached(id, { by_hand: { is_exported: false, is_used_up: true } });
  const ended = await owner<Data>('POST', `${people.live}/payouts/${id}/cancel`, { body: {} });
  expect(ended).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
  expect(await usdc.balanceOf(to)).toBe(0n);
  const { rows } = await app.db.query<{ left: bigint }>(
    `SELECT balance - held AS left FROM ledger_accounts WHERE kind = 'business' AND owner = $1 AND mode = 'live'`,
    [app.integrationId],
  );
  expect(rows).toEqual([{ left: 90n * dollar }]);
});

test('what the vault paid under an id that no payout has is shown among what left without an order', async () => {
  const to = freshAddress();
  await vault.call('pay', [usdc.address, [{ id: 7_777n, to, amount: 2n * dollar }]]);
  await vault.call('take', [usdc.address, to, dollar]);
  await expect
    .poll(async () => {
      await chain.mine();
      await app.db.query(`UPDATE evm_payout_senders SET read_at = '2000-01-01'`);
      // Both may be noted at once: then neither is the newer one.
      const { items } = await desk.get('/treasury-moves');
      return (items as unknown as { amount: string }[]).sort(
        (one, other) => Number(one.amount) - Number(other.amount),
      );
    }, waits)
    .toMatchObject([
      { amount: '1', receiver: to, unknown_vault_ids: [] },
      { amount: '2', receiver: to, unknown_vault_ids: ['7777'] },
    ]);
});

test('while payouts are stopped nothing is exported', async () => {
  await order(freshAddress());
  await desk.call('POST', `${root}/payout-stop`, { body: { reason: 'looking' } });
  expect((await makeExport()).body).toMatchObject({ error: 'payouts_stopped' });
  await desk.call('DELETE', `${root}/payout-stop`);
  expect((await network()).exportable).toEqual([{ asset: 'usdc-bep20', count: 1, amount: '10' }]);
});

test('the command line exports, writes the files of an export again, shows it and takes it back', async () => {
  const [safe, again, list] = ['safe.json', 'again.json', 'list.csv'].map((name) => join(directory, name));
  const run = (options: Parameters<typeof exportOfVault>[1]) => printed(() => exportOfVault(env, options));
  await expect(run({ files: {} })).rejects.toThrow('names the file');
  await expect(run({ chainId: '1', files: { safe } })).rejects.toThrow('no such chain');
  const made = await run({ files: { safe, list } });
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('1 of Local') });
  const id = /^Export (\S+):/.exec(made.output)![1]!;
  expect(await desk.lastChange()).toMatchObject({ actor: { kind: 'command' }, subject: { id } });
  await run({ again: id, files: { safe: again } });
  expect(await readFile(again!, 'utf8')).toBe(await readFile(safe!, 'utf8'));
  expect((await readFile(list!, 'utf8')).trim().split('\r\n')).toHaveLength(2);
  await expect(run({ files: { safe } })).rejects.toThrow('could be exported');
  const shown = await printed(() => showExports(env, { json: false }));
  expect(shown.output).toContain(`${id}  `);
  await expect(takeExportBack(env, 'nothing')).rejects.toThrow('Export not found');
  const back = await printed(() => takeExportBack(env, id));
  expect(back.output).toContain('Taken back: 1');
  const { output } = await printed(() => showExports(env, { json: true }));
  expect(JSON.parse(output).items).toMatchObject([
    { rail, exportable: [{ count: 1 }], exports: [{ id, waiting: 0 }, {}, {}] },
  ]);
});
