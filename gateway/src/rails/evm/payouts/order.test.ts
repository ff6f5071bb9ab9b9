import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { type Tx, transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { cancelPayout, orderPayout } from './order.ts';
import { failOrder, noteRefused, noteSigned, OrdersChanged } from './orders.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const token = { asset: 'usdc-bep20', address: `0x${'70'.repeat(20)}`, scale: 18, symbol: null } as const;
const vault = `0x${'7e'.repeat(20)}`;

const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transaction(db, work);
async function ordered(): Promise<string> {
  const id = newId(now);
  const order = { id, asset: token.asset, units: 5n, to: `0x${'a1'.repeat(20)}`, memo: null };
  await write((tx) => orderPayout(tx, { id: 56, tokens: [token] }, order, now));
  return id;
}
const cancel = (id: string) => write((tx) => cancelPayout(tx, id, now));
const fail = (id: string) => write((tx) => failOrder(tx, id, 'The token refuses it', now));
const set = (id: string, sql: string) => db.query(`UPDATE evm_payouts SET ${sql} WHERE id = $1`, [id]);
const stateOf = async (id: string) =>
  (await db.query<{ state: string }>('SELECT state FROM evm_payouts WHERE id = $1', [id])).rows[0]?.state;

let nonce = 0;
/** A transaction that carries these orders, as far along as that. */
async function carry(ids: readonly string[], state: 'sent' | 'mined' | 'final'): Promise<string> {
  const id = newId(now);
  nonce += 1;
  const mined = state === 'sent' ? 'NULL, NULL, NULL' : "'0xabc', 7, true";
  const settled = state === 'final' ? 'now()' : 'NULL';
  await db.query(
    `INSERT INTO evm_transactions (id, chain_id, sender, nonce, token, treasury, payments, units, gas_limit, state,
       hash, block_number, succeeded, settled_at, created_at, kind)
     VALUES ($1, 56, '0x1', $2, $3, $4, $5, 5, 1, $6, ${mined}, ${settled}, now(), 'payout')`,
    [id, nonce, token.address, vault, ids, state],
  );
  return id;
}

let id: string;
beforeEach(async () => {
  id = await ordered();
});

describe('an order is taken back', () => {
  test('while nothing can carry it out, once', async () => {
    expect([await cancel(id), await cancel(id), await fail(id)]).toEqual([true, false, false]);
    expect(await stateOf(id)).toBe('cancelled');
  });

  test('once what carried it is final, and did not pay it', async () => {
    await carry([id], 'final');
    expect(await cancel(id)).toBe(true);
  });

  test('that was exported, once the vault has used its id up', async () => {
    await set(id, `exported_vault = '${vault}', used_up_by = '0xabc'`);
    expect(await cancel(id)).toBe(true);
  });
});

describe('an order is neither taken back nor given up', () => {
  test.each(['sent', 'mined'] as const)('while a transaction that is %s carries it', async (state) => {
    await carry([id], state);
    expect([await cancel(id), await fail(id)]).toEqual([false, false]);
  });

  test('whose file somebody may still execute', async () => {
    await set(id, `exported_vault = '${vault}'`);
    expect([await cancel(id), await fail(id)]).toEqual([false, false]);
  });
});

test('an order of which the vault says that it has paid it is not taken back', async () => {
  await noteRefused(db, id, { why: 'The vault has paid it', retryAt: now, isPaid: true });
  expect(await cancel(id)).toBe(false);
});

test('a transaction is not written down when one of its orders was taken back meanwhile', async () => {
  const other = await ordered();
  const made = await carry([id, other], 'final');
  await cancel(other);
  await expect(write((tx) => noteSigned(tx, [id, other], made))).rejects.toThrow(OrdersChanged);
  expect([await stateOf(id), await stateOf(other)]).toEqual(['queued', 'cancelled']);
  await write((tx) => noteSigned(tx, [id], made));
  expect(await stateOf(id)).toBe('signed');
});
