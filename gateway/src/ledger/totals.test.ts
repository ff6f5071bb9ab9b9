import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedIntegration } from '../../test/support/fixtures.ts';
import { type Tx, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { newId } from '../kit/ids.ts';
import { postAll } from './ledger.ts';
import { createMonthTotals } from './month-totals.ts';
import { feeTotals, installationTotals, outsideTotals, ownersOf, suspenseOf } from './totals.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');

test('the totals of an empty installation are none', async () => {
  expect(await installationTotals(db)).toEqual([]);
});

test('every kind is summed, and all kinds together come to zero', async () => {
  const { integrationId: owner } = await seedIntegration(db);
  const [settled, open] = [newId(now), newId(now)];
  await seedBalance(db, { owner, kind: 'suspense', mode: 'live', asset: 'pi', units: 10n });
  await seedBalance(db, { owner: newId(now), kind: 'user', mode: 'test', asset: 'pi', units: 7n });
  const suspense = { kind: 'suspense', owner } as const;
  const leg = (
    cause: string,
    units: bigint,
    debit: Parameters<typeof postAll>[1][0]['debit'],
    credit: typeof debit,
  ) =>
    ({
      id: newId(now),
      mode: 'live',
      asset: 'pi',
      units,
      debit,
      credit,
      cause: 'test',
      causeId: cause,
    }) as const;
  const outside = { kind: 'external', owner: 'chain' } as const;
  await transaction(db, (tx) =>
    postAll(
      tx,
      [
        leg(settled, 100n, outside, suspense),
        leg(settled, 97n, suspense, { kind: 'business', owner }),
        leg(settled, 3n, suspense, { kind: 'fees', owner: '' }),
        leg(open, 5n, outside, suspense),
        leg(newId(now), 4n, { kind: 'receivable', owner }, { kind: 'user', owner: newId(now) }),
      ],
      now,
    ),
  );
  const totals = await installationTotals(db);
  expect(totals).toContainEqual({
    mode: 'live',
    asset: 'pi',
    units: { suspense: 15n, receivable: -4n, user: 4n, business: 97n, fees: 3n, external: -115n },
  });
  for (const { units } of totals) expect(Object.values(units).reduce((sum, each) => sum + each, 0n)).toBe(0n);
  expect(await suspenseOf(db, [settled, open])).toEqual([{ cause: open, owner, asset: 'pi', units: 5n }]);
  expect(await ownersOf(db, 'receivable', { before: null, limit: 10 })).toMatchObject([
    { integration_id: owner, integration_name: 'Corner shop', merchant_id: null, asset: 'pi', units: 4n },
  ]);
});

test('totals are the same once lines were added up, and a line that is committed late is not passed over', async () => {
  const addUp = createMonthTotals(db, 1);
  const earn = async (tx: Tx, units: bigint): Promise<void> => {
    const outside = { kind: 'external', owner: 'slow chain' } as const;
    const fee = {
      id: newId(now),
      mode: 'live',
      asset: 'csk-bep20',
      units,
      cause: 'test',
      causeId: null,
    } as const;
    await postAll(tx, [{ ...fee, debit: outside, credit: { kind: 'fees', owner: '' } }], now);
  };
  const totals = async () => ({
    fees: await feeTotals(db, 'live', 'csk-bep20'),
    outside: (await outsideTotals(db, 'live')).filter(({ owner }) => owner === 'slow chain'),
    all: (await installationTotals(db)).filter(({ asset }) => asset === 'csk-bep20'),
  });
  const earned = (units: bigint) => ({
    fees: [{ asset: 'csk-bep20', earned: units, leaving: 0n }],
    outside: [{ owner: 'slow chain', asset: 'csk-bep20', units: -units }],
    all: [{ mode: 'live', asset: 'csk-bep20', units: { fees: units, external: -units } }],
  });
  const linesAddedUp = async (): Promise<number> => {
    const { rows } = await db.query<{ lines: number }>(
      `SELECT coalesce(sum(m.lines), 0)::int AS lines
       FROM ledger_month_totals m JOIN ledger_accounts a ON a.id = m.account WHERE a.asset = 'csk-bep20'`,
    );
    return oneRow({ rows }, 'lines that were added up').lines;
  };

  await transaction(db, (tx) => earn(tx, 1n));
  const booked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const late = transaction(db, async (tx) => {
    await earn(tx, 100n);
    booked.resolve();
    await ended.promise;
  });
  await booked.promise;
  for (let times = 0; times < 3; times++) await transaction(db, (tx) => earn(tx, 10n));
  for (let times = 0; times < 3; times++) await addUp();
  expect(await linesAddedUp()).toBe(0);
  expect(await totals()).toEqual(earned(31n));
  ended.resolve();
  await late;
  for (let times = 0; times < 2; times++) await addUp();
  expect(await linesAddedUp()).toBe(10);
  expect(await totals()).toEqual(earned(131n));
  await transaction(db, (tx) => earn(tx, 1_000n));
  expect(await totals()).toEqual(earned(1_131n));
});
