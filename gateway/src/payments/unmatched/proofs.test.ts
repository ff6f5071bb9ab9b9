import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  openShop,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { depositAt, onePi, reportPaid, reportUnmatched } from '../../../test/support/unmatched-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import type { UnmatchedDeposit } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { claimPaid } from '../settlement/act.ts';
import { assignUnmatched, findUnmatched } from './assign.ts';
import { outcomeOfClaim } from './claim.ts';
import { depositMatches, unmatchedLines } from './read.ts';

const tiny = 1_000n;
const minute = 60;
const customer = { customer_reference: 'customer-7' };

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
let deposit: UnmatchedDeposit;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create({ currency: 'PI', ...customer });
  shop.clock.advance(minute);
  deposit = depositAt(shop);
});

/** The customer of a payment says on its page which transaction paid. */
const claim = async (by: Payment = payment, of: UnmatchedDeposit = deposit) => {
  await write(shop, (tx) => claimPaid(tx, by.id, of.transaction, shop.clock.now()));
  return await outcomeOfClaim(db, shop.assets, by, of.transaction);
};
/** Another transfer from the deposit's account, with the payment's memo. */
const prove = (by: Payment = payment, units = tiny) =>
  reportPaid(shop, by, { units, sender: deposit.sender });
const assign = ({ ledgerId }: UnmatchedDeposit, to: Payment = payment) =>
  write(shop, (tx) =>
    assignUnmatched(tx, shop.deps, ledgerId, {
      paymentId: to.id,
      by: { accountId: newId(), reason: 'By hand' },
    }),
  );

const matchOf = async (of: Payment = payment) => {
  const matches = await depositMatches(db, shop.assets, await findUnmatched(db, deposit.ledgerId));
  return matches.find(({ id }) => id === of.id);
};
const proofOf = async (of: Payment = payment) => (await matchOf(of))?.proof ?? null;
const lineOf = async () => {
  const lines = await unmatchedLines(db, 'open', { before: null, limit: 100 });
  return lines.find(({ id }) => id === deposit.ledgerId);
};

describe('a claimed deposit whose account sends more with the memo', () => {
  const steps = { deposit: () => reportUnmatched(shop, deposit), claim: () => claim(), proof: () => prove() };
  const orders: (keyof typeof steps)[][] = [
    ['deposit', 'claim', 'proof'],
    ['deposit', 'proof', 'claim'],
    ['claim', 'deposit', 'proof'],
    ['claim', 'proof', 'deposit'],
    ['proof', 'deposit', 'claim'],
    ['proof', 'claim', 'deposit'],
  ];

  test.each(orders)('is shown with its proof and stays undecided: %s, %s, %s', async (...order) => {
    for (const step of order) await steps[step]();
    expect(await statusOf(shop, payment)).toBe('unlinked');
    expect((await findUnmatched(db, deposit.ledgerId)).state).toBe('open');
    expect(await lineOf()).toMatchObject({ claims: 1, proofs: 1 });
    expect(await matchOf()).toMatchObject({
      because: expect.arrayContaining(['claim', 'account']),
      ...{ claimed_at: shop.clock.now(), customer_reference: 'customer-7' },
      proof: { asset: 'pi', units: tiny, at: shop.clock.now(), other_payments: 0, other_deposits: 0 },
    });
    const { rows } = await db.query('SELECT FROM audit_log WHERE subject_id = $1', [payment.id]);
    expect(rows).toEqual([]);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('pays the payment once an operator assigns it', async () => {
    for (const step of orders[0]!) await steps[step]();
    await assign(deposit);
    expect(await statusOf(shop, payment)).toBe('completed');
  });

  test('is shown with the first of several proofs', async () => {
    for (const step of orders[0]!) await steps[step]();
    shop.clock.advance(minute);
    await prove(payment, 2n * tiny);
    expect(await proofOf()).toMatchObject({ units: tiny });
  });

  test('comes before those that only claim it, however many', async () => {
    await steps.deposit();
    for (let count = 0; count < 20; count++) {
      shop.clock.advance(1);
      await claim(await shop.create({ currency: 'PI' }));
    }
    await claim();
    await prove();
    const matches = await depositMatches(db, shop.assets, await findUnmatched(db, deposit.ledgerId));
    expect(matches[0]).toMatchObject({ id: payment.id, because: expect.arrayContaining(['account']) });
    expect(await lineOf()).toMatchObject({ claims: 21, proofs: 1 });
  });
});

describe('what a customer learns who names the transaction', () => {
  test('is that a proof is missing, before and after the deposit was booked', async () => {
    expect(await claim()).toBe('unmatched');
    await reportUnmatched(shop, deposit);
    expect(await claim()).toBe('unmatched');
  });

  test('is that the proof is there', async () => {
    await reportUnmatched(shop, deposit);
    await prove();
    expect(await claim()).toBe('proved');
  });

  test('is that it was found, once it was assigned to the payment', async () => {
    await reportUnmatched(shop, deposit);
    await claim();
    await assign(deposit);
    expect(await outcomeOfClaim(db, shop.assets, payment, deposit.transaction)).toBe('found');
  });

  test('is that it paid something else, where it did, or is of another currency', async () => {
    await reportUnmatched(shop, deposit);
    const dollars = await shop.create({ currency: 'USDC' });
    expect(await claim(dollars)).toBe('elsewhere');
    await assign(deposit);
    expect(await claim(await shop.create({ currency: 'PI' }))).toBe('elsewhere');
  });
});

describe('nothing is proved', () => {
  beforeEach(() => reportUnmatched(shop, deposit));

  test('by a transfer from another account', async () => {
    await claim();
    await reportPaid(shop, payment, { units: tiny, sender: 'GANOTHER' });
    expect(await proofOf()).toBeNull();
  });

  test('by a transfer from another part of the account', async () => {
    await claim();
    await reportPaid(shop, payment, { units: tiny, sender: `${deposit.sender} 7` });
    expect(await proofOf()).toBeNull();
  });

  test('by a transfer that is not final', async () => {
    await claim();
    await reportPaid(shop, payment, { units: tiny, sender: deposit.sender, state: 'seen' });
    expect(await proofOf()).toBeNull();
  });

  test('for another payment that claims it too', async () => {
    const other = await shop.create({ currency: 'PI' });
    await claim(other);
    await claim();
    await prove();
    expect([await proofOf(other), await proofOf()]).toMatchObject([null, { units: tiny }]);
    expect(await lineOf()).toMatchObject({ claims: 2, proofs: 1 });
  });

  test('by a deposit of the same account that an operator assigned to the payment', async () => {
    const another = depositAt(shop, { sender: deposit.sender, units: onePi });
    await reportUnmatched(shop, another);
    await assign(another);
    await claim();
    expect(await proofOf()).toBeNull();
  });

  test('for a deposit whose sender is not known', async () => {
    deposit = depositAt(shop, { sender: null });
    await reportUnmatched(shop, deposit);
    await claim();
    await reportPaid(shop, payment, { units: tiny, sender: null });
    expect(await proofOf()).toBeNull();
  });
});

describe('beside a proof stands who else uses the account', () => {
  beforeEach(async () => {
    await reportUnmatched(shop, deposit);
    await claim();
  });

  test('namely other customers whose payments were paid from it', async () => {
    const strangers = await shop.create({ currency: 'PI' });
    const earlier = await shop.create({ currency: 'PI', ...customer });
    for (const each of [strangers, earlier, payment]) await prove(each);
    await prove(strangers);
    expect(await proofOf()).toMatchObject({ other_payments: 1, other_deposits: 0 });
  });

  test('and other deposits without a payment', async () => {
    await reportUnmatched(shop, depositAt(shop, { sender: deposit.sender }));
    await prove();
    expect(await proofOf()).toMatchObject({ other_payments: 0, other_deposits: 1 });
  });
});
