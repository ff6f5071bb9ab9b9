import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { linesOf } from '../src/ledger/lines.ts';
import { statementsOf } from '../src/ledger/statements.ts';
import { unitsOfDecimal } from '../src/money/money.ts';
import { cancelPayment } from '../src/payments/settlement/act.ts';
import { factoryAddress, forwarderAddress, ownerWord } from '../src/rails/evm/addresses/forwarders.ts';
import { directTransfers } from '../src/treasury/direct/arrivals.ts';
import { hostParts } from '../src/treasury/direct/read.ts';
import { readReserves } from '../src/treasury/reserves/reserves.ts';
import { bookCsv, bookJournal } from '../src/wallets/books/files.ts';
import { kindsCsv } from '../src/wallets/books/kinds.ts';
import { accounts } from './chain/chain.ts';
import { openDirectShop } from './settlement/direct-fixtures.ts';
import { silentLog } from './support/fixtures.ts';
import { auditFindings, paymentById } from './support/payment-fixtures.ts';

// Direct settlement on a real chain: a plain transfer ends in the merchant's own address and the host's, and the ledger
// mirrors what is on the way.

const { db, chain, assets, rail, chains, clock, shop, read, held, merchant, host, splitter } =
  await openDirectShop();
const usdc = chain.tokens['usdc-bep20']!;
const usdt = chain.tokens['usdt-bep20']!;
const coin = 10n ** 18n;
const { integrationId } = shop.owner;
const arrived = async (token = usdc) => ({
  merchant: await token.balanceOf(merchant),
  host: await token.balanceOf(host),
});

test('a plain transfer ends with the merchant and the host, to the unit, and never is the gateway’s', async () => {
  const payment = await shop.create({ amount: 10 });
  const address = forwarderAddress(splitter, payment.id);
  const [shown] = (await rail.destinations(db, payment.id)).filter(({ asset }) => asset === 'usdc-bep20');
  expect(shown?.address.toLowerCase()).toBe(address);
  const units = 10n * coin + 7n;
  await usdc.send(address, units);
  await read(8);
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  const toHost = units / 100n;
  expect(await arrived()).toEqual({ merchant: units - toHost, host: toHost });
  expect(await held('direct')).toBe(0n);
  expect([await held('business'), await held('suspense'), await held('payable')]).toEqual([0n, 0n, 0n]);
  expect(await auditFindings(db)).toEqual([]);
  const { rows } = await db.query('SELECT target, units, state FROM direct_moves ORDER BY units');
  expect(rows).toEqual([
    { target: 'host', units: toHost, state: 'final' },
    { target: 'merchant', units: units - toHost, state: 'final' },
  ]);
});

const factory = parseAbi(['function sweep(address token, address destination, bytes32[] payments)']);
/** Anybody may move what lies at a payment's address to its splitter. */
const sweepByStranger = async (payment: string, token = usdc) => {
  const args = [token.address, splitter, [ownerWord(payment)]] as const;
  const data = encodeFunctionData({ abi: factory, functionName: 'sweep', args });
  await chain.mined(await chain.transact(accounts.payer, factoryAddress, data));
};
/** What came to both sides since a moment, and that nothing is left on the way. */
async function arrivedSince(before: Awaited<ReturnType<typeof arrived>>, token = usdc) {
  const now = await arrived(token);
  expect(await token.balanceOf(splitter)).toBe(0n);
  expect(await held('direct', token.asset)).toBe(0n);
  return { merchant: now.merchant - before.merchant, host: now.host - before.host };
}
const partsOf = (units: bigint) => ({ merchant: units - units / 100n, host: units / 100n });

test('parts, too much and what comes late end there too, and nothing is owed to anybody', async () => {
  const before = await arrived();
  const payment = await shop.create({ amount: 10 });
  const address = forwarderAddress(splitter, payment.id);
  await usdc.send(address, 4n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('pending');
  await usdc.send(address, 8n * coin);
  await read();
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  await usdc.send(address, 1n * coin);
  await read(8);
  expect(await arrivedSince(before)).toEqual(partsOf(13n * coin));

  const late = await shop.create({ amount: 10 });
  await transaction(db, (tx) => cancelPayment(tx, shop.deps, late.id, 'merchant'));
  const beforeLate = await arrived();
  await usdc.send(forwarderAddress(splitter, late.id), 3n * coin);
  await read(8);
  expect(await arrivedSince(beforeLate)).toEqual(partsOf(3n * coin));
  for (const kind of ['business', 'suspense', 'payable'] as const) expect(await held(kind)).toBe(0n);
});

test('another coin goes to the merchant as well', async () => {
  const before = await arrived(usdt);
  const payment = await shop.create({ amount: 10 });
  await usdt.send(forwarderAddress(splitter, payment.id), 5n * coin);
  await read(8);
  expect((await paymentById(db, payment.id)).status).not.toBe('completed');
  expect(await arrivedSince(before, usdt)).toEqual(partsOf(5n * coin));
  expect(await held('suspense', 'usdt-bep20')).toBe(0n);
});

test('what somebody sweeps, gives or pays to an ended payment is released all the same', async () => {
  const before = await arrived();
  const payment = await shop.create({ amount: 10 });
  await usdc.send(forwarderAddress(splitter, payment.id), 10n * coin);
  await sweepByStranger(payment.id);
  await usdc.send(splitter, 2n * coin);
  await read(8);
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  expect(await arrivedSince(before)).toEqual(partsOf(12n * coin));
  const { rows } = await db.query("SELECT units FROM direct_moves WHERE target = 'given'");
  expect(rows).toEqual([{ units: 2n * coin }]);
});

test('a reorg of the release is undone, and it is done again', async () => {
  const before = await arrived();
  const payment = await shop.create({ amount: 10 });
  await usdc.send(forwarderAddress(splitter, payment.id), 10n * coin);
  const paidIn = await chain.client.getBlockNumber();
  await read(8);
  expect(await arrivedSince(before)).toEqual(partsOf(10n * coin));
  const depth = Number((await chain.client.getBlockNumber()) - paidIn);
  await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
  await read(1);
  expect(await db.query("SELECT FROM direct_moves WHERE state = 'gone'")).toMatchObject({ rowCount: 2 });
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  await read(12);
  expect(await arrivedSince(before)).toEqual(partsOf(10n * coin));
  expect(await auditFindings(db)).toEqual([]);
});

test('where the customer pays the fee, the merchant gets the whole amount', async () => {
  const before = await arrived();
  const payment = await shop.create({ amount: 10, fee_payer: 'customer' });
  const due = 10_101_011n;
  expect([payment.amountDue, payment.fee]).toEqual([due, 101_011n]);
  await usdc.send(forwarderAddress(splitter, payment.id), due * 10n ** 12n);
  await read(8);
  expect((await paymentById(db, payment.id)).status).toBe('completed');
  const { merchant: got } = await arrivedSince(before);
  expect(got >= 10n * coin).toBe(true);
});

test('the reserves count nothing of it, at no moment', async () => {
  const deps = { db, assets, chains: chains.all, pi: null, now: clock.now, log: silentLog };
  const differences = async () => (await readReserves(deps)).items.map(({ difference }) => difference);
  const payment = await shop.create({ amount: 10 });
  await usdc.send(forwarderAddress(splitter, payment.id), 10n * coin);
  await chain.mine(3);
  expect(await differences()).toEqual(['0', '0', '0']);
  for (let round = 0; round < 8; round += 1) {
    await read(1);
    expect(await differences()).toEqual(['0', '0', '0']);
  }
  expect(await held('direct')).toBe(0n);
  expect(await auditFindings(db)).toEqual([]);
});

/** How far what came for payments has come, the newest first. */
async function directStates() {
  const lines = await linesOf(
    db,
    { kind: 'direct', owner: integrationId, mode: 'live' },
    { cause: 'payment_received' },
    { beforeSeq: null, limit: 100 },
  );
  const found = await directTransfers(
    db,
    lines.map(({ transfer, cause_id }) => ({ transfer, paymentId: cause_id ?? '' })),
  );
  return lines.map(({ transfer, units }) => ({ units, ...found.get(transfer)! }));
}

test('each payment is seen from its address to the merchant, with the release that took it and its block', async () => {
  const payment = await shop.create({ amount: 10 });
  await usdc.send(forwarderAddress(splitter, payment.id), 10n * coin);
  const seen = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    await read(1);
    const newest = (await directStates()).find(({ reference }) => reference === payment.reference);
    if (newest) seen.add(newest.arrived ? 'arrived' : newest.isSwept ? 'swept' : 'at its address');
  }
  expect([...seen].at(-1)).toBe('arrived');
  for (const { arrived, basisPoints, merchant: to, rail: on } of await directStates()) {
    expect([basisPoints, to.toLowerCase()]).toEqual([100, merchant]);
    const { rows } = await db.query(
      `SELECT FROM direct_moves WHERE rail = $1 AND transaction = $2 AND block_number = $3 AND target = 'merchant' AND state = 'final'`,
      [on, arrived?.transaction, arrived?.block],
    );
    expect(rows).not.toEqual([]);
  }
});

test('the books have it in a section of its own, exactly, and no balance has any of it', async () => {
  const holder = { kind: 'business', owner: integrationId, mode: 'live' } as const;
  const direct = await statementsOf(db, { ...holder, kind: 'direct' });
  for (const { opening, incoming, outgoing, closing } of direct)
    expect(opening + incoming - outgoing).toBe(closing);
  const deps = { db, assets, holder, statements: await statementsOf(db, holder), direct };
  const textOf = async (parts: AsyncIterable<string>) => (await Array.fromAsync(parts)).join('');
  expect(deps.statements).toEqual([]);

  const [head = '', ...lines] = (await textOf(bookCsv(deps))).trimEnd().split('\r\n');
  const names = head.replace('\ufeff', '').split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
  expect(new Set(rows.map(({ settlement }) => settlement))).toEqual(new Set(['direct']));
  const units = (text = '') => unitsOfDecimal(text.replace('-', ''), 18)! * (text.startsWith('-') ? -1n : 1n);
  const sum = (column: string, of: typeof rows) =>
    of.reduce((all, row) => all + units(row[column] || '0'), 0n);
  for (const asset of ['usdc-bep20', 'usdt-bep20']) {
    const own = rows.filter((row) => row.asset === asset);
    expect(sum('moved', own)).toBe(units(own.at(-1)!.balance) - units(own[0]!.balance));
    const token = asset === 'usdc-bep20' ? usdc : usdt;
    const arrivals = own.filter(({ line }) => line!.startsWith('direct_arrived'));
    expect(-sum('moved', arrivals)).toBe(await token.balanceOf(merchant));
    const payments = own.filter(({ line }) => line === 'payment_received');
    expect(sum('gross', payments) - sum('fee', payments)).toBe(sum('net', payments));
    expect(new Set(payments.map(({ own_address: to }) => to?.toLowerCase()))).toEqual(new Set([merchant]));
    expect(payments.filter(({ transaction }) => transaction === '')).toEqual([]);
  }

  expect(await textOf(kindsCsv(deps))).toContain('payment_received');
  const journal = await textOf(bookJournal(deps, 'hledger'));
  expect(journal).toContain('Assets:Own-Wallet:');
  expect(journal).toContain('0 USDC = 0 USDC');
  const hosts = await hostParts(db, 'live', new Date(0));
  const ofUsdc = hosts.flatMap(({ asset, units: part }) => (asset === 'usdc-bep20' ? [part] : []));
  expect(ofUsdc.reduce((all, part) => all + part, 0n)).toBe(await usdc.balanceOf(host));
});
