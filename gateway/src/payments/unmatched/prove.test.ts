import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventTypesOf,
  openShop,
  pass,
  type Shop,
  standing,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { onePi, strayAt, tellPaid, tellStray } from '../../../test/support/unmatched-fixtures.ts';
import type { Stray } from '../../rails/rail.ts';
import { claimPaid } from '../act.ts';
import type { Payment } from '../payment.ts';
import { assignStray, findStray } from './assign.ts';
import { claimStray } from './prove.ts';

const tiny = 1_000n;
const minute = 60;
const customer = { customer_reference: 'customer-7' };

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
let stray: Stray;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create({ currency: 'PI', ...customer });
  shop.clock.advance(minute);
  stray = strayAt(shop);
});

/** The customer of a payment says on its page which transaction paid. */
const claim = (by: Payment = payment, of: Stray = stray) =>
  write(shop, async (tx) => {
    await claimPaid(tx, by.id, of.transaction, shop.clock.now());
    return await claimStray(tx, shop.deps, by.id, of.transaction);
  });
/** Another transfer from the stray's account, with the payment's memo. */
const prove = (by: Payment = payment, units = tiny) => tellPaid(shop, by, { units, sender: stray.sender });
const state = async () => (await findStray(db, stray.ledgerId)).state;

describe('a stray that is claimed, and whose account sends more with the memo', () => {
  const steps = { stray: () => tellStray(shop, stray), claim: () => claim(), proof: () => prove() };
  const orders: (keyof typeof steps)[][] = [
    ['stray', 'claim', 'proof'],
    ['stray', 'proof', 'claim'],
    ['claim', 'stray', 'proof'],
    ['claim', 'proof', 'stray'],
    ['proof', 'stray', 'claim'],
    ['proof', 'claim', 'stray'],
  ];

  test.each(orders)('is the payment’s, whichever is known first: %s, %s, %s', async (...order) => {
    for (const step of order.slice(0, -1)) await steps[step]();
    expect(await standing(shop, payment)).not.toBe('completed');
    await steps[order.at(-1)!]();
    expect(await standing(shop, payment)).toBe('completed');
    expect(await findStray(db, stray.ledgerId)).toMatchObject({
      ...{ state: 'assigned', payment_id: payment.id, decided_by: null },
    });
    expect(await eventTypesOf(db, payment)).toContain('completed');
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is so in the log of the payment', async () => {
    await steps.stray();
    await steps.claim();
    await steps.proof();
    const { rows } = await db.query('SELECT actor_kind, action FROM audit_log WHERE subject_id = $1', [
      payment.id,
    ]);
    expect(rows).toEqual([{ actor_kind: 'gateway', action: 'assigned money whose sender was proved' }]);
  });

  test('is assigned once when all of it happens at the same instant, and the customer asks again', async () => {
    await Promise.all([steps.stray(), steps.claim(), steps.proof()]);
    // Refused where the payment was completed before.
    await steps.claim().catch(() => {});
    expect(await standing(shop, payment)).toBe('completed');
    expect(await auditFindings(db)).toEqual([]);
  });

  test('pays a payment whose deadline passed before the proof came', async () => {
    await steps.stray();
    await steps.claim();
    await pass(shop, 2 * 3600);
    await steps.proof();
    expect(await eventTypesOf(db, payment)).toEqual(['abandoned', 'completed']);
  });

  test('is assigned although its account paid for something else of the same customer', async () => {
    const earlier = await shop.create({ currency: 'PI', ...customer });
    await prove(earlier, 10n * onePi);
    for (const step of orders[0]!) await steps[step]();
    expect(await state()).toBe('assigned');
  });
});

describe('what the customer is told who names the transaction', () => {
  test('is that a proof is wanted, while the money is nobody’s or not even booked', async () => {
    expect(await claim()).toBe('stray');
    await tellStray(shop, stray);
    expect(await claim()).toBe('stray');
  });

  test('is that it was found, where the proof is there', async () => {
    await tellStray(shop, stray);
    await prove();
    expect(await claim()).toBe('found');
  });

  test('is that it paid something else, where it did, or is of another currency', async () => {
    await tellStray(shop, stray);
    const dollars = await shop.create({ currency: 'USDC' });
    expect(await claim(dollars)).toBe('elsewhere');
    await write(shop, (tx) => claimPaid(tx, dollars.id, 'something else', shop.clock.now()));
    payment = await shop.create({ currency: 'PI' });
    expect(await claim()).toBe('stray');
  });
});

describe('operators decide about a stray', () => {
  let other: Payment;
  beforeEach(async () => {
    other = await shop.create({ currency: 'PI' });
    await tellStray(shop, stray);
  });

  const cases: Record<string, () => Promise<unknown>> = {
    'that nobody claims': () => prove(),
    'whose claimant sends from another account': async () => {
      await claim();
      await tellPaid(shop, payment, { units: tiny, sender: 'GANOTHER' });
    },
    'whose claimant sends from another part of the account': async () => {
      await claim();
      await tellPaid(shop, payment, { units: tiny, sender: `${stray.sender} 7` });
    },
    'whose claimant’s second transfer is not final': async () => {
      await claim();
      await tellPaid(shop, payment, { units: tiny, sender: stray.sender, state: 'seen' });
    },
    'that two payments claim': async () => {
      await claim(other);
      await claim();
      await prove();
    },
    'whose account paid for another customer’s payment': async () => {
      await prove(other);
      await claim();
      await prove();
    },
    'whose account sent another stray, which this payment does not claim': async () => {
      await tellStray(shop, strayAt(shop, { sender: stray.sender }));
      await claim();
      await prove();
    },
    'that came before there was the payment': async () => {
      shop.clock.advance(minute);
      payment = await shop.create({ currency: 'PI' });
      await claim();
      await prove();
    },
    'that is more than the payment asked for': async () => {
      stray = strayAt(shop, { units: 10n * onePi + 1n });
      await tellStray(shop, stray);
      await claim();
      await prove();
    },
    'that is much less than the payment asked for': async () => {
      stray = strayAt(shop, { units: 9n * onePi });
      await tellStray(shop, stray);
      await claim();
      await prove();
    },
    'whose payment was paid otherwise': async () => {
      await claim();
      await prove(payment, 10n * onePi);
    },
    'that is claimed by a payment of another currency': async () => {
      payment = await shop.create({ currency: 'USDC' });
      await claim();
      await prove();
    },
    'that came when it was too late for its payment': async () => {
      await pass(shop, 26 * 3600);
      stray = strayAt(shop);
      await tellStray(shop, stray);
      await claim();
      await prove();
    },
  };

  test.each(Object.entries(cases))('%s', async (_, happen) => {
    await happen();
    expect(await state()).toBe('open');
  });

  test('though another one of the same account was given to the payment: that proves nothing', async () => {
    const another = strayAt(shop, { sender: stray.sender, units: onePi });
    await tellStray(shop, another);
    const by = { accountId: null, reason: 'By hand' };
    await write(shop, (tx) => assignStray(tx, shop.deps, another.ledgerId, payment.id, by));
    expect(await claim()).toBe('stray');
    expect(await state()).toBe('open');
  });
});

test('of two strays of a customer who claims both, one is taken when the payment then has enough', async () => {
  const another = strayAt(shop, { sender: stray.sender });
  for (const each of [stray, another]) {
    await tellStray(shop, each);
    await claim(payment, each);
  }
  await prove();
  expect(await standing(shop, payment)).toBe('completed');
  expect([await state(), (await findStray(db, another.ledgerId)).state].sort()).toEqual(['assigned', 'open']);
  expect(await auditFindings(db)).toEqual([]);
});
