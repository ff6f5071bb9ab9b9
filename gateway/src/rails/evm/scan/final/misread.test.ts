import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { startChain } from '../../../../../test/chain/chain.ts';
import { type RpcLog, startRpcProxy } from '../../../../../test/chain/rpc-proxy.ts';
import { openScan, type Scan } from '../../../../../test/chain/scan-fixtures.ts';
import { emptyTables, testDatabase } from '../../../../../test/support/database.ts';
import type { Hex } from '../../config/chains.ts';

// What all endpoints told wrong while it was read, and tell right when it is read again.

const { db } = await testDatabase();
const local = await startChain();
const usdc = local.tokens['usdc-bep20']!;
const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)));

let scan: Scan;
let lines: { level: number; msg: string }[];
async function open(count: number): Promise<void> {
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, evm_second_readings',
  );
  for (const proxy of proxies) proxy.mend();
  lines = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(chunk));
      done();
    },
  });
  scan = await openScan(db, local, {
    rpcUrls: proxies.slice(0, count).map(({ url }) => url),
    log: pino(stream),
  });
  await scan.tick();
}

/** Time passes, and all that is due is read again; then what was found is looked at. */
async function again(seconds: number): Promise<void> {
  scan.clock.advance(seconds);
  for (let count = 0; count < 8; count += 1) await scan.scanner.readAgain();
  await scan.tick();
}
/** Long enough for the first of the two second readings. */
async function firstReading(): Promise<void> {
  await again(180);
  await again(180);
}
/** A payment of 5 units, of which all endpoints say that they are 9 until it is booked. */
async function misread(): Promise<Awaited<ReturnType<Scan['pay']>>> {
  const payment = await scan.pay();
  const alters = (logs: RpcLog[]) =>
    logs.map((log) => ({ ...log, data: `0x${'9'.padStart(64, '0')}` as const }));
  for (const { faults } of proxies) Object.assign(faults, { alters, balances: () => '0x9' });
  await local.mined(await usdc.send(payment.address, 5n));
  await local.mine(3);
  await scan.tick(2);
  for (const { faults } of proxies) Object.assign(faults, { alters: null, balances: null });
  return payment;
}
/** What was reported of a payment once it was final. */
const booked = (id: string) =>
  scan.reported
    .filter(({ paymentId, state }) => paymentId === id && state !== 'seen')
    .map(({ state, units }) => `${state} ${units}`);
async function ledgerIds(address: Hex): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT ledger_id AS id FROM evm_transfers WHERE address = $1',
    [address],
  );
  return rows.map(({ id }) => id);
}

describe.each([1, 2, 3])('with %i endpoints', (count) => {
  beforeEach(() => open(count));

  test('a transfer that all told with another amount is reversed, and booked as it is', async () => {
    const { id, address } = await misread();
    expect(scan.standing(id)).toEqual(['final 3 9']);
    const before = await ledgerIds(address);
    await firstReading();
    await again(60);
    expect(scan.standing(id)).toEqual(['final 3 5']);
    expect(booked(id)).toEqual(['final 9', 'gone 9', 'final 5']);
    // What is keyed by this id in the books keeps what was booked first.
    expect(await ledgerIds(address)).not.toEqual(before);
    expect(lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)).toEqual([
      'endpoints had told a transfer wrong: its block is read again',
      'a transfer was read wrong: it is reversed, and booked as two endpoints show it now',
    ]);
    await again(86_400);
    expect(booked(id)).toHaveLength(3);
  });

  test('it is booked as it is only after its reversal was reported', async () => {
    const { id } = await misread();
    scan.onReport = ({ state }) => {
      if (state === 'gone') throw new Error('not now');
    };
    await firstReading();
    for (let count = 0; count < 10; count += 1) await again(60);
    expect(booked(id)).toEqual(['final 9']);
    scan.onReport = null;
    for (let count = 0; count < 10; count += 1) await again(60);
    expect(booked(id)).toEqual(['final 9', 'gone 9', 'final 5']);
  });
});
