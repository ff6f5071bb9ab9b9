import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { auditFindings } from '../../test/support/payment-fixtures.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { Refusal } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { cancelPayout, orderPayout } from '../rails/evm/payouts/order.ts';
import { exportPlain } from '../rails/evm/payouts/plain-exports.ts';
import type { Move } from '../rails/move.ts';
import { assignMove } from './assign.ts';
import { bookMove } from './moves.ts';
import { isPaidByHand, settlePaidByHand } from './paid-by-hand.ts';

const { db } = await testDatabase();
const treasury = `0x${'7e'.repeat(20)}` as const;
const token = { asset: 'usdc-bep20', address: `0x${'70'.repeat(20)}`, scale: 18, symbol: null } as const;
const receivers = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
const by = { accountId: newId(), reason: 'It was mine' };

let chains = 56;
let seconds = 0;
const now = (): Date => new Date(Date.parse('2026-11-20T00:00:00Z') + seconds * 1000);
const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  seconds += 1;
  return transaction(db, work);
};

/** A chain of its own, with what a person does there. */
function openChain() {
  chains += 1;
  const place = { chainId: chains, rail: `evm:${chains}` };
  const moves: Move[] = [];
  return {
    place,
    moves,
    async order(which: number, units: bigint): Promise<string> {
      const id = newId(now());
      const [to, memo] = [receivers[which % receivers.length] ?? receivers[0], null];
      const order = { id, asset: token.asset, units, to, memo };
      await write((tx) => orderPayout(tx, { id: place.chainId, tokens: [token] }, order, now()));
      return id;
    },
    export: () => write((tx) => exportPlain(tx, { chainId: place.chainId, treasury }, 'olga', now())),
    cancel: (id: string) => write((tx) => cancelPayout(tx, id, now())),
    async transfer(which: number, units: bigint, sender: string = treasury): Promise<Move> {
      const ids = { ledgerId: newId(now()), transaction: `0x${newId().replaceAll('-', '')}` };
      const receiver = receivers[which % receivers.length] ?? receivers[0];
      const ends = { from: 'treasury', to: 'operator', sender, receiver } as const;
      const move: Move = {
        ...ids,
        ...ends,
        rail: place.rail,
        asset: token.asset,
        units,
        at: now(),
        state: 'final',
      };
      moves.push(move);
      await write((tx) => bookMove(tx, move, { mode: 'live', now: now() }));
      return move;
    },
    becomes: (move: Move, state: Move['state']) =>
      write((tx) => bookMove(tx, { ...move, state }, { mode: 'live', now: now() })),
    assign: (move: Move) =>
      write((tx) => assignMove(tx, move.ledgerId, { owner: { kind: 'operator' }, ...by }, now())),
    async settle(): Promise<void> {
      const isDue = await isPaidByHand(db, place);
      const before = await standing(place.chainId);
      await write((tx) => settlePaidByHand(tx, place, now()));
      if (!isDue) expect(await standing(place.chainId)).toEqual(before);
      expect(await isPaidByHand(db, place)).toBe(false);
    },
  };
}

type Order = {
  id: string;
  state: string;
  receiver: string;
  units: bigint;
  paid_move: string | null;
  exported_at: Date | null;
};
type Row = {
  ledger_id: string;
  receiver: string;
  units: bigint;
  sender: string;
  at: Date;
  state: string;
  owner_kind: string | null;
  payout_id: string | null;
};

async function standing(chainId: number): Promise<{ orders: Order[]; rows: Row[] }> {
  const orders = await db.query<Order>(
    `SELECT p.id, p.state, p.receiver, p.units, p.paid_move, e.created_at AS exported_at
     FROM evm_payouts p LEFT JOIN evm_exports e ON e.id = p.export_id WHERE p.chain_id = $1 ORDER BY p.created_at`,
    [chainId],
  );
  const rows = await db.query<Row>('SELECT * FROM treasury_moves WHERE rail = $1 ORDER BY at', [
    `evm:${chainId}`,
  ]);
  return { orders: orders.rows, rows: rows.rows };
}

/** What is wrong between the payouts of a chain and its transfers. */
async function wrongs(chainId: number): Promise<string[]> {
  const { orders, rows } = await standing(chainId);
  const fits = (order: Order, row: Row): boolean =>
    row.state === 'final' &&
    row.owner_kind === null &&
    row.sender === treasury &&
    row.receiver === order.receiver &&
    row.units === order.units &&
    order.exported_at !== null &&
    row.at >= order.exported_at;
  const paid = orders.filter(({ state }) => state === 'paid');
  const free = rows.filter((row) => row.payout_id === null);
  const found: string[] = [];
  for (const order of paid) {
    const own = rows.filter((row) => row.payout_id === order.id);
    if (own.length !== 1 || own[0]?.ledger_id !== order.paid_move)
      found.push(`${order.id} is paid by ${own.length}`);
    else if (!fits(order, own[0])) found.push(`${order.id} is paid by what does not fit`);
  }
  for (const row of rows.filter(({ payout_id }) => payout_id !== null)) {
    if (!paid.some(({ id }) => id === row.payout_id))
      found.push(`${row.ledger_id} pays nothing that is paid`);
  }
  for (const order of orders.filter(({ state }) => state === 'queued')) {
    if (free.some((row) => fits(order, row))) found.push(`${order.id} waits beside a transfer that pays it`);
  }
  return found;
}

const which = fc.nat(1);
const units = fc.constantFrom(5n, 7n);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('order' as const), which, units }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('export' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('transfer' as const), which, units, isOther: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('gone' as const, 'final' as const), move: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('assign' as const), move: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);

test('whatever happens in whatever order, a transfer pays one payout at most, and each payout is paid by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
      const chain = openChain();
      for (const each of steps) {
        if (each.do === 'order') await chain.order(each.which, each.units);
        else if (each.do === 'export') await chain.export();
        else if (each.do === 'transfer')
          await chain.transfer(
            each.which,
            each.units,
            each.isOther && each.units === 7n ? '0xother' : treasury,
          );
        else if (each.do === 'settle') {
          await chain.settle();
          expect(await wrongs(chain.place.chainId)).toEqual([]);
        } else {
          const move = chain.moves[each.move];
          if (!move) continue;
          if (each.do !== 'assign') await chain.becomes(move, each.do);
          else
            await chain.assign(move).catch((error) => {
              if (!(error instanceof Refusal)) throw error;
            });
        }
      }
      await chain.settle();
      expect(await wrongs(chain.place.chainId)).toEqual([]);
    }),
    { numRuns: 40 },
  );
  expect(await auditFindings(db)).toEqual([]);
});

test('the oldest of payouts that are the same is paid first, and what was exported is not cancelled', async () => {
  const chain = openChain();
  const first = await chain.order(0, 5n);
  await chain.export();
  const second = await chain.order(0, 5n);
  await chain.export();
  await chain.transfer(0, 5n);
  await chain.settle();
  const states = async () => (await standing(chain.place.chainId)).orders.map(({ id, state }) => [id, state]);
  expect(await states()).toEqual([
    [first, 'paid'],
    [second, 'queued'],
  ]);
  expect(await chain.cancel(second)).toBe(false);
});

test('a transfer that an operator assigned pays nothing, and one that paid cannot be assigned', async () => {
  const chain = openChain();
  await chain.order(0, 5n);
  await chain.export();
  const assigned = await chain.transfer(0, 5n);
  await chain.assign(assigned);
  await chain.settle();
  expect((await standing(chain.place.chainId)).orders).toMatchObject([{ state: 'queued' }]);
  const paying = await chain.transfer(0, 5n);
  await chain.settle();
  expect((await standing(chain.place.chainId)).orders).toMatchObject([{ paid_move: paying.ledgerId }]);
  await expect(chain.assign(paying)).rejects.toMatchObject({ row: { status: 409 } });
});

test('one that comes back into its block, and was noted as ordered meanwhile, pays the same payout again', async () => {
  const chain = openChain();
  const first = await chain.order(0, 5n);
  const second = await chain.order(0, 5n);
  await chain.export();
  const move = await chain.transfer(0, 5n);
  await chain.settle();
  await chain.becomes(move, 'gone');
  await chain.settle();
  await chain.becomes(move, 'final');
  await db.query('UPDATE treasury_moves SET payout_id = $2 WHERE ledger_id = $1', [move.ledgerId, second]);
  await chain.settle();
  const { orders } = await standing(chain.place.chainId);
  expect(orders.map(({ id, state }) => [id, state])).toEqual([
    [first, 'queued'],
    [second, 'paid'],
  ]);
});

test('where a transfer has left its chain another one may pay instead', async () => {
  const chain = openChain();
  await chain.order(0, 5n);
  await chain.export();
  const lost = await chain.transfer(0, 5n);
  await chain.settle();
  await chain.becomes(lost, 'gone');
  await chain.settle();
  const paying = await chain.transfer(0, 5n);
  await chain.settle();
  const { orders } = await standing(chain.place.chainId);
  expect(orders).toMatchObject([{ state: 'paid', paid_move: paying.ledgerId }]);
});

test('two that settle at once pay nothing twice', async () => {
  const chain = openChain();
  for (let count = 0; count < 4; count += 1) await chain.order(0, 5n);
  await chain.export();
  for (let count = 0; count < 3; count += 1) await chain.transfer(0, 5n);
  const settle = () => write((tx) => settlePaidByHand(tx, chain.place, now()));
  await Promise.all([settle(), settle()]);
  await chain.settle();
  expect(await wrongs(chain.place.chainId)).toEqual([]);
  const { orders } = await standing(chain.place.chainId);
  expect(orders.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid', 'queued']);
});
