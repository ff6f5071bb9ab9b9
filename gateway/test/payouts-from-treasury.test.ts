import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFunctionData, parseAbi } from 'viem';
import { beforeAll, expect, test, vi } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { accounts, startChain, treasury } from './chain/chain.ts';
import type { SafeFile } from './chain/payout-fixtures.ts';
import type { Api } from './support/api.ts';
import { type OpenConsole, openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { seedBalance } from './support/fixtures.ts';
import { type OperatorDesk, operatorDesk, root } from './support/operator.ts';
import { auditFindings, endedOrWaiting } from './support/payment-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// A chain with a treasury and no vault: what is ordered is exported by an operator, and paid by plain transfers.

const waits = { timeout: 120_000, interval: 200 };
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const dollar = 10n ** 18n;
const erc20 = parseAbi(['function transfer(address to, uint256 units)']);
await usdc.mint(treasury, 1_000n * dollar);
const rail = `evm:${chain.id}`;
const directory = await testFolder();

type Export = { id: string; paid: number; waiting: number; can_take_back: boolean; can_use_up: boolean };
type Network = { exportable: { count: number; amount: string }[]; exports: Export[] };
type Data = {
  id: string;
  status: string;
  failure: string | null;
  transaction: string | null;
  by_hand: object | null;
  items: Network[];
};

let app: RunningApp;
let people: OpenConsole;
let owner: Api;
let desk: OperatorDesk;

beforeAll(async () => {
  const file = join(directory, 'florin.json');
  await writeFile(file, JSON.stringify({ chains: [chain.entry({ payouts: 'by hand' })] }));
  app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  people = await openConsole(app);
  owner = await people.as('owner');
  desk = await operatorDesk(people);
  const business = { kind: 'business', owner: app.integrationId, mode: 'live' } as const;
  await seedBalance(app.db, { ...business, asset: 'usdc-bep20', units: 200n * dollar });
  const open = { enabled: true, approvals: 0, approve_above: {}, known_addresses_only: false };
  await owner('PUT', `${people.live}/payout-settings`, { body: open });
  // Moves of the treasury are read from a block on.
  await vi.waitFor(async () => {
    await chain.mine();
    const { rows } = await app.db.query<{ places: unknown[] }>('SELECT places FROM evm_chains');
    expect(rows.flatMap(({ places }) => places)).not.toEqual([]);
  }, waits);
});

const freshAddress = (): Hex => `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
async function order(to: Hex, amount = '10'): Promise<string> {
  const { status, body } = await owner<Data>('POST', `${people.live}/payouts`, {
    body: { asset: 'usdc-bep20', amount, to },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  expect({ status, message: body.message }).toMatchObject({ status: 200 });
  return body.data.id;
}
const payout = async (id: string): Promise<Data> =>
  (await owner<Data>('GET', `${people.live}/payouts/${id}`)).body.data;
async function makeExport(): Promise<string> {
  const made = await desk.call<Data>('POST', `${root}/payout-exports`, { body: { rail }, headers: {} });
  expect(made.status).toBe(200);
  return made.body.data.id;
}
const exportOf = async (id: string): Promise<Export | undefined> =>
  (await desk.call<Data>('GET', `${root}/payout-exports`)).body.data.items[0]?.exports.find(
    (each) => each.id === id,
  );
const file = (id: string, kind: string) => desk.call('GET', `${root}/payout-exports/${id}/file?kind=${kind}`);
/** A plain transfer; by the treasury unless it says otherwise. */
async function pay(to: Hex, units: bigint, from = accounts.treasury) {
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, units] });
  return await chain.mined(await chain.transact(from, usdc.address, data));
}
/** New blocks make what happened final. */
async function reached(id: string, expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await chain.mine();
      return await payout(id);
    }, waits)
    .toMatchObject(expected);
}
type MoveLine = { id: string; receiver: string; amount: string };
const unordered = async () =>
  ((await desk.get('/treasury-moves')).items as unknown as MoveLine[]).map(({ receiver, amount }) => [
    receiver,
    amount,
  ]);
async function isUnordered(receiver: Hex, amount: string): Promise<void> {
  await expect
    .poll(async () => {
      await chain.mine();
      return await unordered();
    }, waits)
    .toContainEqual([receiver, amount]);
}

test('what is ordered is exported, paid from the treasury, and complete when the chain shows it', async () => {
  const to = freshAddress();
  const id = await order(to);
  const why = 'An operator exports it, and pays it from the treasury';
  await reached(id, { status: 'queued', failure: why, by_hand: null });
  const exportId = await makeExport();
  expect(await exportOf(exportId)).toMatchObject({ waiting: 1, can_take_back: false, can_use_up: false });
  await reached(id, { status: 'queued', by_hand: { is_exported: true, is_used_up: false } });
  const list = (await file(exportId, 'list')).text;
  expect(list).toMatch(new RegExp(`\r\n${id},usdc-bep20,0x\\w{40},${to},10,${10n * dollar},`, 'i'));
  expect((await file(exportId, 'use-up')).status).toBe(409);
  const taken = await desk.call('POST', `${root}/payout-exports/${exportId}/take-back`, { body: {} });
  expect(taken.body).toMatchObject({ error: 'export_kept' });
  // The file can be executed at any time.
  const cancelled = await owner('POST', `${people.live}/payouts/${id}/cancel`, { body: {} });
  expect(cancelled).toMatchObject({ status: 409, body: { message: 'Payout can no longer be cancelled' } });

  // Somebody else’s transfer is nobody's payout, nor is one of another amount.
  await usdc.send(to, 10n * dollar);
  await pay(to, 9n * dollar);
  await isUnordered(to, '9');
  expect(await payout(id)).toMatchObject({ status: 'queued' });

  const { transactions } = JSON.parse((await file(exportId, 'safe')).text) as SafeFile;
  const hashes = [];
  for (const call of transactions) {
    const hash = await chain.transact(accounts.treasury, call.to as Hex, call.data);
    expect((await chain.mined(hash)).status).toBe('success');
    hashes.push(hash);
  }
  await reached(id, { status: 'completed', by_hand: null, transaction: hashes[0] });
  expect(await exportOf(exportId)).toMatchObject({ paid: 1, waiting: 0 });
  expect((await file(exportId, 'safe')).body).toMatchObject({ error: 'export_ended' });
  // Executed twice it pays twice, which nobody ordered.
  await pay(to, 10n * dollar);
  await isUnordered(to, '10');
  expect(await auditFindings(app.db)).toEqual([]);
});

test('an order that the sender is writing at that moment is exported', async () => {
  const to = freshAddress();
  const id = await order(to);
  let made: Promise<string> | undefined;
  await transaction(app.db, async (tx) => {
    await tx.query('UPDATE evm_payouts SET fault = fault WHERE id = $1', [id]);
    made = makeExport();
    await endedOrWaiting(app.db, made);
  });
  expect(await exportOf((await made)!)).toMatchObject({ waiting: 1 });
  await pay(to, 10n * dollar);
  await reached(id, { status: 'completed' });
});

test('what was transferred before the export pays nothing', async () => {
  const to = freshAddress();
  const id = await order(to);
  await pay(to, 10n * dollar);
  await isUnordered(to, '10');
  await app.db.query("UPDATE treasury_moves SET at = at - interval '1 minute' WHERE lower(receiver) = $1", [
    to,
  ]);
  await makeExport();
  await pay(to, 9n * dollar);
  await isUnordered(to, '9');
  expect(await payout(id)).toMatchObject({ status: 'queued' });
  await pay(to, 10n * dollar);
  await reached(id, { status: 'completed' });
});

test('of two that are the same, each transfer pays one, the older one first; a reorg undoes it', async () => {
  const to = freshAddress();
  const ids = [await order(to), await order(to)] as const;
  await makeExport();
  const { blockNumber } = await pay(to, 10n * dollar);
  await reached(ids[0], { status: 'completed' });
  expect(await payout(ids[1])).toMatchObject({ status: 'queued' });

  const depth = Number((await chain.client.getBlockNumber()) - blockNumber) + 1;
  await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
  await reached(ids[0], { status: 'queued', failure: 'Waits to be paid by hand' });
  expect(await usdc.balanceOf(to)).toBe(0n);
  await pay(to, 10n * dollar);
  await reached(ids[0], { status: 'completed' });
  await pay(to, 10n * dollar);
  await reached(ids[1], { status: 'completed' });
  expect(await usdc.balanceOf(to)).toBe(20n * dollar);
  expect(await auditFindings(app.db)).toEqual([]);
});
