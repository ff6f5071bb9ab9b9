import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { balancesOf, postTransfers, type Transfer } from './ledger.ts';
import { type Holder, type Line, linesOf } from './lines.ts';
import { addUpAccount } from './month-totals.ts';
import { type MonthStatement, monthLines, statementsOf } from './statements.ts';

const { db } = await testDatabase();

type Move = { asset: 'pi' | 'usdt-bep20'; units: bigint; isIncoming: boolean; day: number };

const moves = fc.array(
  fc.record({
    asset: fc.constantFrom<Move['asset']>('pi', 'usdt-bep20'),
    units: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    isIncoming: fc.boolean(),
    day: fc.nat(120),
  }),
  { minLength: 1, maxLength: 25 },
);

const timeOf = (day: number): Date => new Date(Date.UTC(2026, 0, 1 + day, 23, 59, 59, 999));

/** Posts moves in the order of their days; those that do not fit fail. */
async function play(list: Move[]): Promise<Holder> {
  const holder = { kind: 'business', owner: newId(), mode: 'test' } as const;
  const outside = { kind: 'external', owner: 'seed' } as const;
  for (const { asset, units, isIncoming, day } of list.toSorted((one, other) => one.day - other.day)) {
    const [debit, credit] = isIncoming ? [outside, holder] : [holder, outside];
    const transfer: Transfer = {
      id: newId(),
      mode: 'test',
      asset,
      units,
      debit: { kind: debit.kind, owner: debit.owner },
      credit: { kind: credit.kind, owner: credit.owner },
      cause: isIncoming ? 'payment_settled' : 'fund_user',
      causeId: null,
    };
    await transaction(db, (tx) => postTransfers(tx, [transfer], timeOf(day)));
  }
  return holder;
}

/** A number that no line has. */
const allThere = 10n ** 12n;

/** Adds up a few lines of each of the holder's accounts, so that some are in the totals and some are not. */
async function addUpSome(holder: Holder, lines: number): Promise<void> {
  const { rows } = await db.query<{ id: bigint }>('SELECT id FROM ledger_accounts WHERE owner = $1', [
    holder.owner,
  ]);
  for (const { id } of rows) await addUpAccount(db, id, allThere, lines);
}

async function allLines(holder: Holder, filter: object = {}, limit = 4): Promise<Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const beforeSeq = lines.at(-1)?.seq ?? null;
    const page = await linesOf(db, holder, filter, { beforeSeq, limit });
    lines.push(...page);
    if (page.length < limit) return lines;
  }
}

const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

async function collect(lines: AsyncGenerator<Line>): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('statements', () => {
  test('open as the last one closed, add up to the unit, and end at the balance', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.array(fc.nat(9), { maxLength: 3 }), async (list, addedUp) => {
        const holder = await play(list);
        const before = await statementsOf(db, holder);
        for (const lines of addedUp) await addUpSome(holder, lines);
        expect(await statementsOf(db, holder)).toEqual(before);
        const statements = await statementsOf(db, holder);
        for (const { asset, available } of await balancesOf(db, holder)) {
          const own = statements.filter((each) => each.asset === asset).toReversed();
          let opening = 0n;
          for (const statement of own) {
            expect(statement.opening).toBe(opening);
            expect(statement.opening + statement.incoming - statement.outgoing).toBe(statement.closing);
            await expectLines(holder, statement);
            opening = statement.closing;
          }
          expect(opening).toBe(available);
        }
      }),
      { numRuns: 25 },
    );
  });

  async function expectLines(holder: Holder, statement: MonthStatement): Promise<void> {
    const lines = await collect(monthLines(db, holder, statement));
    expect(lines).toHaveLength(statement.lines);
    expect(statement.opening + sum(lines.map(({ units }) => units))).toBe(statement.closing);
    expect(lines.at(-1)?.balance ?? statement.opening).toBe(statement.closing);
    expect(lines.every(({ created_at }) => created_at.toISOString().startsWith(statement.month))).toBe(true);
  }
});

describe('lines', () => {
  test('show the balance after each, on every page and through every filter', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(9), async (list, addedUp) => {
        const holder = await play(list);
        await addUpSome(holder, addedUp);
        const all = await allLines(holder);
        for (const asset of ['pi', 'usdt-bep20']) {
          const own = all.filter((line) => line.asset === asset);
          own.forEach((line, index) => {
            expect(line.balance).toBe(sum(own.slice(index).map(({ units }) => units)));
          });
          expect(await allLines(holder, { asset })).toEqual(own);
        }
        const outgoing = all.filter(({ cause }) => cause === 'fund_user');
        expect(await allLines(holder, { cause: 'fund_user' })).toEqual(outgoing);
        const [from, to] = [timeOf(30), timeOf(60)];
        expect(await allLines(holder, { from, to })).toEqual(
          all.filter(({ created_at }) => created_at >= from && created_at < to),
        );
      }),
      { numRuns: 25 },
    );
  });

  test('name the other side of each', async () => {
    const holder = await play([{ asset: 'pi', units: 5n, isIncoming: true, day: 0 }]);
    const [line] = await linesOf(db, holder, {}, { beforeSeq: null, limit: 1 });
    expect(line).toMatchObject({ units: 5n, balance: 5n, other_kind: 'external', other_owner: 'seed' });
  });
});
