import { decodeEventLog, getAddress } from 'viem';
import { expect, test } from 'vitest';
import { forwarderAddress } from '../src/rails/evm/addresses/forwarders.ts';
import artifact from '../src/rails/evm/addresses/splitter-factory.json' with { type: 'json' };
import { splitterFactoryAddress } from '../src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { openDirectShop } from './settlement/direct-fixtures.ts';
import { auditFindings, paymentById } from './support/payment-fixtures.ts';

// Many direct payments at once, of amounts that the two parts cannot share: they are swept and divided in batches, and
// every unit ends at one of the two addresses.

const count = process.env.SOAK ? 1_000 : 45;
/** One transaction of the payer funds so many addresses. */
const fundedAtOnce = 100;
const coin = 10n ** 18n;

const { db, chain, shop, read, held, merchant, host, splitter, basisPoints } = await openDirectShop();
const usdc = chain.tokens['usdc-bep20']!;

type Released = { token: string; splitter: string; toMerchant: bigint; toHost: bigint };

/** The releases of the splitter, from the chain alone. */
async function releases(): Promise<Released[]> {
  const logs = await chain.client.getLogs({ address: splitterFactoryAddress, fromBlock: 0n });
  return logs
    .map(({ topics, data }) => decodeEventLog({ abi: artifact.abi, topics, data } as never))
    .filter((event: { eventName: string }) => event.eventName === 'Released')
    .map((event: { args: unknown }) => event.args as Released);
}

test(`${count} payments are released in batches, to the unit`, async () => {
  const payments: { to: Hex; units: bigint }[] = [];
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id } = await shop.create({ amount: 10 });
    ids.push(id);
    // Of no two the same, and of none a hundredth that is whole.
    payments.push({ to: forwarderAddress(splitter, id), units: 10n * coin + BigInt(101 * at + 1) });
  }
  for (let at = 0; at < count; at += fundedAtOnce) {
    await chain.mined(await usdc.sendMany(payments.slice(at, at + fundedAtOnce)));
  }
  const paid = payments.reduce((sum, { units }) => sum + units, 0n);
  const arrived = async () => (await usdc.balanceOf(merchant)) + (await usdc.balanceOf(host));
  for (let round = 0; round < 60 && (await arrived()) < paid; round += 1) await read(1);
  await read();

  const all = await releases();
  for (const each of all) {
    expect(each.token).toBe(getAddress(usdc.address));
    const units = each.toMerchant + each.toHost;
    expect(each.toHost).toBe((units * BigInt(basisPoints)) / 10_000n);
  }
  const sumOf = (side: 'toMerchant' | 'toHost') => all.reduce((sum, each) => sum + each[side], 0n);
  expect(sumOf('toMerchant') + sumOf('toHost')).toBe(paid);
  expect(await usdc.balanceOf(merchant)).toBe(sumOf('toMerchant'));
  expect(await usdc.balanceOf(host)).toBe(sumOf('toHost'));
  for (const kind of ['direct', 'business', 'suspense', 'payable'] as const)
    expect(await held(kind)).toBe(0n);
  for (const id of ids) expect((await paymentById(db, id)).status).toBe('completed');
  expect(await auditFindings(db)).toEqual([]);

  const gas = await gasOfSweeps();
  expect(all.length).toBe(gas.transactions);
  process.stdout.write(
    `${count} direct payments: ${gas.transactions} transactions, ${gas.used} gas, ${gas.used / BigInt(count)} for each\n`,
  );
  // What docs/contracts.md tells of 20 is 55,000 each; a few go alone.
  expect(gas.used / BigInt(count) < 60_000n).toBe(true);
});

async function gasOfSweeps(): Promise<{ transactions: number; used: bigint }> {
  const { rows } = await db.query<{ hash: Hex }>("SELECT hash FROM evm_transactions WHERE kind = 'sweep'");
  let used = 0n;
  for (const { hash } of rows) used += (await chain.client.getTransactionReceipt({ hash })).gasUsed;
  return { transactions: rows.length, used };
}
