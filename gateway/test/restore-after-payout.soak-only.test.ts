// A restore from a backup that is older than what was paid since: whoever knows of a payment is the chain alone.
import { copyFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { beforeAll, expect, test, vi } from 'vitest';
import { backup } from '../src/commands/backup.ts';
import { restore } from '../src/commands/restore.ts';
import { demoChainDirectory } from '../src/demo/chain/known.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { auditFindingsOf, createLive, demoChain, reservesOf, stateOf } from './chain/demo-chain.ts';
import { type Api, createApi } from './support/api.ts';
import { printed } from './support/commands-fixtures.ts';
import { signIn } from './support/console.ts';
import { makeDataDir } from './support/data-dir.ts';
import { root } from './support/operator.ts';
import { type RunningGateway, startGateway } from './support/running.ts';

const asset = 'usdc-bep20';
const dollar = 10n ** 18n;
const waits = { timeout: 120_000, interval: 200 };

type Payout = { id: string; status: string; to: string };
type Move = {
  id: string;
  amount: string;
  receiver: string;
  unknown_vault_ids: string[];
  payout_id: string | null;
};

/** Also outside of a test, where nothing polls. */
const until = (read: () => Promise<unknown>, expected: unknown) =>
  vi.waitFor(async () => expect(await read()).toEqual(expected), waits);

const freshAddress = (): Hex => privateKeyToAddress(generatePrivateKey());
/** Ordered before the backup and paid after it; ordered and paid after it; ordered when all goes on again. */
const [waiting, unknown, later] = [freshAddress(), freshAddress(), freshAddress()];

let before: RunningGateway;
let restored: RunningGateway;
let chain: ReturnType<typeof demoChain>;
let waitingId: string;
let printedByRestore: { code: number; output: string };
let operator: Api;

const moneyOf = ({ baseUrl, demo }: RunningGateway) => createApi(baseUrl, demo.payout_keys?.live ?? '');

async function order(gateway: RunningGateway, to: Hex, amount: string) {
  return await moneyOf(gateway)<Payout>('POST', '/payouts', { body: { asset, amount, to } });
}
async function ordered(gateway: RunningGateway, to: Hex, amount: string): Promise<string> {
  const { status, text, body } = await order(gateway, to, amount);
  if (status !== 200) throw new Error(text);
  return body.data.id;
}
const statusOf = async (gateway: RunningGateway, id: string) =>
  (await moneyOf(gateway)<Payout>('GET', `/payouts/${id}`)).body.data.status;
const isCompleted = (gateway: RunningGateway, id: string) => until(() => statusOf(gateway, id), 'completed');
const holds = (address: Hex) => chain.balanceOf(asset, address);

async function businessOf({ liveApi }: RunningGateway): Promise<string> {
  const { body } = await liveApi<{ items: { asset: string; available: string; held: string }[] }>(
    'GET',
    '/balances',
  );
  const found = body.data.items.find((each) => each.asset === asset);
  return `${found?.available} available, ${found?.held} held`;
}

async function earn(gateway: RunningGateway, amount: number): Promise<void> {
  const { url } = await createLive(gateway, { amount });
  await until(async () => (await stateOf(url)).destinations.length, 1);
  const { address, amount: due } = (await stateOf(url)).destinations[0]!;
  await chain.send(asset, address, due);
  await until(async () => (await stateOf(url)).payment_status, 'completed');
}

beforeAll(async () => {
  before = await startGateway({ chain: true });
  chain = demoChain(before.demo.chain!);
  await earn(before, 20_000);
  // More than the vault holds.
  waitingId = await ordered(before, waiting, '15000');
  await until(() => statusOf(before, waitingId), 'queued');

  const dataDir = await makeDataDir();
  const file = join(dataDir, 'florin.backup');
  await printed(() => backup(before.settings, { file }));

  await chain.send(asset, before.demo.chain!.vault, '6000');
  await isCompleted(before, waitingId);
  await isCompleted(before, await ordered(before, unknown, '5'));
  await before.stop();

  for (const name of ['master.key', 'demo.json'])
    await copyFile(join(before.dataDir, name), join(dataDir, name));
  await cp(demoChainDirectory(before.dataDir), demoChainDirectory(dataDir), { recursive: true });
  printedByRestore = await printed(() => restore({ DATA_DIR: dataDir }, { file }));
  restored = await startGateway({ dataDir, chain: true });
  chain = demoChain(restored.demo.chain!);
  const { email, password } = restored.demo.operator;
  operator = await signIn(restored.baseUrl, email, password);
}, 400_000);

const unordered = async () =>
  (await operator<{ items: Move[] }>('GET', `${root}/treasury-moves`)).body.data.items;
const resume = () => operator('DELETE', `${root}/payout-stop`);

test('payouts are stopped by the restore, which says so', async () => {
  expect(printedByRestore.code).toBe(0);
  expect(printedByRestore.output).toContain('Payouts are stopped until an operator lets them go on');
  const refused = await order(restored, later, '7');
  expect([refused.status, refused.body.message]).toEqual([409, 'Payouts are stopped']);
});

test('what was ordered before the backup and paid since is completed by what the chain shows, and not paid again', async () => {
  await isCompleted(restored, waitingId);
  expect(await holds(waiting)).toBe(15_000n * dollar);
}, 900_000);

test('what was ordered since is nobody’s, and nothing goes on before it has an owner, who is debited', async () => {
  await expect.poll(unordered, waits).toHaveLength(1);
  const [left] = await unordered();
  expect(left).toMatchObject({ amount: '5', payout_id: null, unknown_vault_ids: [expect.any(String)] });
  expect(left?.receiver.toLowerCase()).toBe(unknown.toLowerCase());
  await expect
    .poll(async () => (await resume()).body.message, waits)
    .toMatch(/go on after the restore yet: transfers that left since the backup and are nobody's yet: 1$/);
  expect((await order(restored, later, '7')).status).toBe(409);

  const business = await businessOf(restored);
  const body = { owner: 'business', of: restored.demo.integration_id, reason: 'The merchant ordered it' };
  const assigned = await operator('POST', `${root}/treasury-moves/${left?.id}/assign`, { body });
  expect(assigned).toMatchObject({ status: 200 });
  expect([business, await businessOf(restored)]).toEqual([
    '4800 available, 0 held',
    '4795 available, 0 held',
  ]);
}, 900_000);

test('then payouts go on: what is ordered now is paid, and nothing of before a second time', async () => {
  expect(await resume()).toMatchObject({ status: 200 });
  await isCompleted(restored, await ordered(restored, later, '7'));
  expect([await holds(waiting), await holds(unknown), await holds(later)]).toEqual([
    15_000n * dollar,
    5n * dollar,
    7n * dollar,
  ]);
  expect(await unordered()).toEqual([]);
  expect(await auditFindingsOf(restored)).toEqual([]);
  expect((await reservesOf(restored)).map(({ difference }) => difference)).toEqual(['0', '0', '0']);
}, 900_000);
