import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedIntegration } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { postAll } from './ledger.ts';
import { installationTotals, ownersOf, suspenseOf } from './totals.ts';

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
