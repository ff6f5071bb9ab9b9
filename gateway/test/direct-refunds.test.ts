import { encodeFunctionData } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { compiled } from '../../scripts/contracts.ts';
import { cancelRefund } from '../src/payments/refunds/cancel.ts';
import { orderRefund } from '../src/payments/refunds/order.ts';
import { refundsOf } from '../src/payments/settlement/refund-rows.ts';
import { changePayoutSettings, payoutSettingsOf } from '../src/payouts/rules/settings.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { accounts, startChain } from './chain/chain.ts';
import { inventedLog, startRpcProxy } from './chain/rpc-proxy.ts';
import { openChainShop } from './settlement/chain-shop.ts';
import { testDatabase } from './support/database.ts';
import { testClock } from './support/fixtures.ts';
import { auditFindings, eventTypesOf, report, write } from './support/payment-fixtures.ts';

// Refunds of direct payments on a real chain: the merchant's own address is a contract wallet, whose owner's transactions
// somebody else sends.

const { db } = await testDatabase();
const [chain, contracts] = await Promise.all([startChain(), compiled('test/Wallets.sol')]);
const usdc = chain.tokens['usdc-bep20']!;
const coin = 10n ** 18n;
const clock = testClock(new Date());
const proxies = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
const config = chain.config({
  finality: 'confirmations',
  startBlock: null,
  rpcUrls: proxies.map(({ url }) => url),
});
const { shop, chains } = await openChainShop(db, config, clock);
const settings = await payoutSettingsOf(db, shop.owner);
await write(shop, (tx) =>
  changePayoutSettings(tx, shop.owner, { ...settings, knownAddressesOnly: false }, clock.now()),
);

const { abi, bytecode } = contracts.OwnedWallet!;
const wallet = (await chain.deploy(abi, bytecode, [accounts.admin.address])).toLowerCase() as Hex;
await usdc.mint(wallet, 10_000n * coin);
/** The wallet sends; the transaction is of somebody else. */
async function sendOut(to: string, units: bigint): Promise<Hex> {
  const data = encodeFunctionData({ abi, functionName: 'send', args: [usdc.address, to, units] } as never);
  const hash = await chain.transact(accounts.payer, wallet, data);
  return (await chain.mined(hash)).transactionHash;
}

async function look(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const { work } of chains.loops) await work();
    clock.advance(11);
  }
}
/** Reads what has happened, of which all becomes final. */
async function read(): Promise<void> {
  await chain.mine(4);
  await look();
}

let payments = 0;
const customerOf = (number: number) => `0x${number.toString(16).padStart(40, 'c')}`;
const direct = { merchant: wallet, basisPoints: 0 };
async function paid() {
  const payment = await shop.create({ amount: 100 });
  const key = `direct refunds ${++payments}`;
  await report(shop, payment, { key, units: 100n * coin, asset: 'usdc-bep20', direct });
  return { payment, to: customerOf(payments) };
}
type Paid = Awaited<ReturnType<typeof paid>>;
const refund = ({ payment, to }: Paid, units: bigint) => {
  clock.advance(1);
  const wanted = { asset: null, units, destination: { to, memo: null }, reason: null };
  const requester = { accountId: null, name: 'key', limits: null };
  return write(shop, (tx) =>
    orderRefund(tx, shop.deps, payment.id, { wanted, requester, ownTime: clock.now() }),
  );
};
const statuses = async ({ payment }: Paid) => (await refundsOf(db, payment.id)).map(({ status }) => status);

beforeEach(async () => {
  for (const proxy of proxies) proxy.mend();
  await read();
});

test('is answered by exactly its amount, from the own address to where it goes', async () => {
  const own = await paid();
  await refund(own, 5n * coin);
  for (const wrong of [5n * coin - 1n, 5n * coin + 1n]) await sendOut(own.to, wrong);
  await sendOut(customerOf(999), 5n * coin);
  await usdc.send(own.to as Hex, 5n * coin);
  await read();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  const transaction = await sendOut(own.to, 5n * coin);
  await read();
  const [done] = await refundsOf(db, own.payment.id);
  expect(done).toMatchObject({ status: 'completed', transaction });
  expect((await eventTypesOf(db, own.payment)).slice(-2)).toEqual(['refund_created', 'refunded']);
  expect(await auditFindings(db)).toEqual([]);
});

test('one transfer answers one refund, the oldest first', async () => {
  const own = await paid();
  await refund(own, 2n * coin);
  await refund(own, 2n * coin);
  await sendOut(own.to, 2n * coin);
  await read();
  await read();
  expect(await statuses(own)).toEqual(['completed', 'awaiting_transfer']);
  await sendOut(own.to, 2n * coin);
  await read();
  expect(await statuses(own)).toEqual(['completed', 'completed']);
  const keys = (await refundsOf(db, own.payment.id)).map(({ answeredBy }) => answeredBy);
  expect(new Set(keys).size).toBe(2);
});

test('what was sent before it was asked for answers nothing', async () => {
  const own = await paid();
  await sendOut(own.to, 3n * coin);
  await read();
  await refund(own, 3n * coin);
  await read();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  await sendOut(own.to, 3n * coin);
  await read();
  expect(await statuses(own)).toEqual(['completed']);
});

test('one that was cancelled leaves the transfer to the next', async () => {
  const own = await paid();
  const first = await refund(own, 4n * coin);
  await refund(own, 4n * coin);
  await write(shop, (tx) => cancelRefund(tx, shop.deps, own.payment.id, first.id));
  await sendOut(own.to, 4n * coin);
  await read();
  expect(await statuses(own)).toEqual(['cancelled', 'completed']);
});

test('a transfer that leaves its chain before it is final answers nothing', async () => {
  const own = await paid();
  await refund(own, 6n * coin);
  await sendOut(own.to, 6n * coin);
  await look();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  await chain.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
  await read();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  await sendOut(own.to, 6n * coin);
  await read();
  expect(await statuses(own)).toEqual(['completed']);
});

test('two endpoints must show the transfer', async () => {
  const own = await paid();
  await refund(own, 7n * coin);
  await read();
  const block = await chain.client.getBlock();
  const invented = { token: usdc.address, from: wallet, to: own.to as Hex, units: 7n * coin };
  proxies[0]!.faults.invents = [
    inventedLog({ ...invented, block: { number: block.number, hash: block.hash } }),
  ];
  await read();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  proxies[0]!.mend();
  proxies[1]!.faults.hides = true;
  await sendOut(own.to, 7n * coin);
  await read();
  expect(await statuses(own)).toEqual(['awaiting_transfer']);
  proxies[1]!.mend();
  await read();
  expect(await statuses(own)).toEqual(['completed']);
});
