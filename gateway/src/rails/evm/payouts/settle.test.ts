import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { type Tx, transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import type { Hex } from '../config/chains.ts';
import type { VaultEvent } from './calls.ts';
import { noteEvents, noteGoneAbove } from './events.ts';
import { orderPayout } from './order.ts';
import { settleOrders } from './settle.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const chainId = 56;
const receiver: Hex = `0x${'a1'.repeat(20)}`;
const token = { asset: 'usdc-bep20', address: `0x${'70'.repeat(20)}`, scale: 18, symbol: null } as const;

let id: string;
/** The event by which the vault pays it. */
let paid: VaultEvent;
beforeEach(async () => {
  id = newId(now);
  const order = { id, asset: token.asset, units: 5n, to: receiver, memo: null };
  await transaction(db, (tx) => orderPayout(tx, { id: chainId, tokens: [token] }, order, now));
  const { rows } = await db.query<{ vaultId: bigint }>(
    'SELECT vault_id AS "vaultId" FROM evm_payouts WHERE id = $1',
    [id],
  );
  const place = { blockNumber: 7n, blockHash: `0x${id.replaceAll('-', '')}`, logIndex: 0 } as const;
  const what = { transaction: '0xabc', vault: '0x7e', token: token.address, receiver, units: 5n } as const;
  paid = { kind: 'paid', ...place, ...what, vaultId: rows[0]!.vaultId, reason: null };
});

const settle = (note: (tx: Tx) => Promise<bigint[]>) =>
  transaction(db, async (tx) => await settleOrders(tx, chainId, await note(tx), now));
const read = (event: VaultEvent) => settle((tx) => noteEvents(tx, chainId, [event]));
const state = async () =>
  (await db.query<{ state: string }>('SELECT state FROM evm_payouts WHERE id = $1', [id])).rows[0]?.state;

test('an order is paid by the final event of its id, and no longer once that has gone', async () => {
  await read(paid);
  expect(await state()).toBe('paid');
  await settle((tx) => noteGoneAbove(tx, chainId, 6n));
  expect(await state()).toBe('queued');
  await read(paid);
  expect(await state()).toBe('paid');
});

test.each<[string, Partial<VaultEvent>]>([
  ['amount', { units: 4n }],
  ['receiver', { receiver: `0x${'b2'.repeat(20)}` }],
  ['token', { token: `0x${'71'.repeat(20)}` }],
])('an event of another %s pays nothing, also where it was read otherwise before', async (_, other) => {
  await read({ ...paid, ...other });
  expect(await state()).toBe('queued');
  await read(paid);
  expect(await state()).toBe('paid');
  await read({ ...paid, ...other });
  expect(await state()).toBe('queued');
});
