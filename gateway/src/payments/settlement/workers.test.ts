import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  statusOf,
} from '../../../test/support/payment-fixtures.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import type { Outcome } from '../../rails/simulated/scenarios.ts';
import { showDue, simulate } from '../simulate/simulate.ts';
import { expireDue } from './expire.ts';

const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 4);
afterAll(() => otherProcess.end());

const ends: [Outcome, status: string, events: string[], business: bigint | undefined][] = [
  ['split', 'completed', ['pending', 'completed'], 9_900_000n],
  ['slow', 'completed', ['pending', 'completed'], 9_900_000n],
  ['reorg', 'failed reorg', ['pending', 'failed'], undefined],
  ['underpaid', 'in-appeal part_paid', ['pending', 'in_appeal'], undefined],
  ['wrong_token', 'cancelled abandoned', ['abandoned'], undefined],
];

test('the workers of two processes together bring every payment to its end once', async () => {
  const shop = await openShop(db);
  const payments = await Promise.all(
    Array.from({ length: 20 }, () => ends)
      .flat()
      .map(async ([outcome, ...end]) => {
        const payment = await shop.create();
        await transaction(db, (tx) => simulate(tx, shop.deps, payment.id, { outcomes: [outcome] }));
        return { payment, end };
      }),
  );
  for (const seconds of [25, 10, 25, 540, 1800]) {
    shop.clock.advance(seconds);
    await Promise.all(
      [db, otherProcess, db, otherProcess].flatMap((pool) => [
        showDue(pool, shop.deps),
        expireDue(pool, shop.deps),
      ]),
    );
  }
  for (const { payment, end } of payments) {
    const { business } = await ledgerOf(db, payment);
    expect([await statusOf(shop, payment), await eventTypesOf(db, payment), business]).toEqual(end);
  }
  expect(await auditFindings(db)).toEqual([]);
});
