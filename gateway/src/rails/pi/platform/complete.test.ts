import { describe, expect, test } from 'vitest';
import { asked, coin, held, openPiWorld, stateAt } from '../../../../test/pi/browser-world.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  statusOf,
} from '../../../../test/support/payment-fixtures.ts';
import { createPiBrowser } from './browser.ts';

const world = await openPiWorld();

const pending = { status: 'pending' };
const completed = { status: 'completed' };
const notReached = { status: 'pending', message_key: 'pi_not_reached' };
const refusedFor = (message_key: string) => ({ status: 'refused', message_key });

/** A payment that is approved and, unless `isSent` says otherwise, sent. */
async function approved(isSent = true) {
  const payment = await world.order();
  const user = world.user();
  const { identifier } = await world.begin(user, payment);
  await world.browser.approve(asked(payment), identifier);
  const sent = isSent ? await world.pi.userSide.submit(user, identifier) : null;
  const complete = (txid = sent!.transaction!.txid) =>
    world.browser.complete(asked(payment), identifier, txid);
  return { payment, user, identifier, txid: sent?.transaction?.txid ?? '', complete };
}

const isConfirmed = (identifier: string) => world.pi.payment(identifier)!.status.developer_completed;

test('money is held until the platform has confirmed it, and counts from then on', async () => {
  const { payment, identifier, complete } = await approved();
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('pending');
  expect(await ledgerOf(world.shop.db, payment, 'pi')).toEqual({});
  expect(await stateAt(world, identifier)).toBe('paid');
  expect(await complete()).toEqual(completed);
  expect(await statusOf(world.shop, payment)).toBe('completed');
  expect(await eventTypesOf(world.shop.db, payment)).toEqual(['linked', 'pending', 'completed']);
});

test('callbacks that come at once complete it once', async () => {
  const { payment, complete } = await approved();
  const answers = await Promise.all([complete(), complete(), complete(), world.read()]);
  expect(answers.slice(0, 3)).toEqual([completed, completed, completed]);
  await world.read();
  expect(await ledgerOf(world.shop.db, payment, 'pi')).toMatchObject({ external: -10n * coin });
  expect(await eventTypesOf(world.shop.db, payment)).toContain('completed');
});

test('a customer who closes the page after signing has paid', async () => {
  const { payment, identifier } = await approved();
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('pending');
  await world.after(1);
  expect(isConfirmed(identifier)).toBe(true);
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

test('so has one whose money is not read until the platform is asked', async () => {
  const { payment, identifier } = await approved();
  await world.after(10);
  expect(await stateAt(world, identifier)).toBe('completed');
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

describe('a transaction that did not pay is none:', () => {
  test('one that was never sent, or is no name of one', async () => {
    const { complete, identifier } = await approved(false);
    expect(await complete('ab'.repeat(32))).toEqual(pending);
    for (const odd of ['', 'x', 'zz'.repeat(32)]) {
      expect(await complete(odd)).toEqual(refusedFor('pi_wrong_transaction'));
    }
    expect(await stateAt(world, identifier)).toBe('approved');
  });

  test('one of other units, another memo, another account, or another customer', async () => {
    const { user, identifier, complete } = await approved(false);
    const stranger = world.user();
    const to = world.config.account;
    const others = [
      { to, amount: 10n * coin - 1n, memo: identifier },
      { to, amount: 10n * coin, memo: identifier.toLowerCase() },
      { to, amount: 10n * coin },
      { to: stranger.wallet.publicKey(), amount: 10n * coin, memo: identifier },
    ];
    for (const plan of others) {
      const txid = world.horizon.pay({ from: user.wallet, ...plan });
      expect(await complete(txid)).toEqual(refusedFor('pi_wrong_transaction'));
    }
    const other = await approved();
    expect(await complete(other.txid)).toEqual(refusedFor('pi_wrong_transaction'));
    expect(await stateAt(world, identifier)).toBe('approved');
    expect(isConfirmed(identifier)).toBe(false);
  });

  test('one that failed', async () => {
    const { user, identifier, complete } = await approved(false);
    const txid = world.horizon.pay({
      from: user.wallet,
      to: world.config.account,
      amount: 10_000_000n * coin,
      memo: identifier,
    });
    expect(await complete(txid)).toEqual(refusedFor('pi_wrong_transaction'));
  });

  test('one that pays for another page', async () => {
    const { identifier, txid } = await approved();
    const other = await world.order();
    const answer = await world.browser.complete(asked(other), identifier, txid);
    expect(answer).toEqual(refusedFor('pi_unknown'));
    expect(await stateAt(world, identifier)).toBe('approved');
  });
});

test('what the network does not show yet is waited for', async () => {
  const { complete, identifier, payment } = await approved();
  world.horizon.faults.add({ kind: 'stale', ledgers: 1, path: /transactions/, times: 2 });
  expect(await complete()).toEqual(pending);
  expect(isConfirmed(identifier)).toBe(false);
  world.horizon.faults.clear();
  await world.after(10);
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

describe('when the platform does not answer as it should', () => {
  const on = /complete$/;

  test.each([
    ['its reply is lost', { on, afterEffect: true, cut: true }],
    ['what stands before it fails after all was done', { on, afterEffect: true, status: 504 }],
  ])('%s: its record says that it confirmed', async (_, fault) => {
    const { complete } = await approved();
    world.pi.faults.add(fault);
    expect(await complete()).toEqual(completed);
  });

  test.each([500, 503, 429, 408, 409, 401, 403, 400])(
    '%i is no answer: it is asked again',
    async (status) => {
      const { payment, identifier, complete } = await approved();
      world.pi.faults.add({ on, status });
      expect(await complete()).toEqual(notReached);
      await world.read();
      expect([await stateAt(world, identifier), await statusOf(world.shop, payment)]).toEqual([
        'paid',
        'pending',
      ]);
      await world.after(10);
      expect(await statusOf(world.shop, payment)).toBe('completed');
    },
  );

  test('the reply and the record are lost: the next callback finds it out', async () => {
    const { complete, identifier } = await approved();
    world.pi.faults.add({ on, afterEffect: true, cut: true });
    world.pi.faults.add({ on: /^GET .*\w{28}$/, status: 503, times: 2 });
    expect(await complete()).toEqual(notReached);
    world.pi.faults.clear();
    world.pi.faults.add({ on, afterEffect: true, cut: true });
    await complete();
    expect(isConfirmed(identifier)).toBe(true);
    expect(await complete()).toEqual(completed);
    world.pi.faults.clear();
  });

  test('the customer is answered in time, and what was under way is not lost', async () => {
    const { payment, identifier, txid } = await approved();
    world.pi.faults.add({ on, delayMs: 600 });
    const hasty = createPiBrowser(world.flow, 150);
    expect(await hasty.complete(asked(payment), identifier, txid)).toEqual(notReached);
    // A busy machine may not have come so far that Pi was asked: then it is what was read that is asked about.
    await world.read();
    await world.after(10);
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });
});

describe('when the platform refuses for good', () => {
  const spoil = async (identifier: string) => {
    const { units } = (
      await world.shop.db.query('SELECT units FROM pi_records WHERE memo = $1', [identifier])
    ).rows[0] as { units: bigint };
    return units;
  };

  test('what is on the chain becomes an unmatched deposit, and operators see it', async () => {
    const { payment, user, identifier } = await approved(false);
    // Paid by hand, with the memo of a payment that the customer has cancelled.
    world.pi.userSide.cancel(user, identifier);
    const before = await held(world, 'suspense', 'pi');
    world.horizon.pay({ from: user.wallet, to: world.config.account, amount: 10n * coin, memo: identifier });
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('pending');
    await world.after(1);
    expect(await stateAt(world, identifier)).toBe('refused');
    expect(await spoil(identifier)).toBe(10n * coin);
    expect((await held(world, 'suspense', 'pi')) - before).toBe(10n * coin);
    expect(await ledgerOf(world.shop.db, payment, 'pi')).toEqual({});
    expect(await world.browser.approve(asked(payment), identifier)).toEqual(refusedFor('pi_refused'));
    expect(await auditFindings(world.shop.db)).toEqual([]);
  });
});

describe('money with the memo of a platform payment', () => {
  test('counts once: a second transfer is unmatched', async () => {
    const { payment, user, identifier, complete } = await approved();
    await complete();
    await world.read();
    const before = await held(world, 'suspense', 'pi');
    world.horizon.pay({ from: user.wallet, to: world.config.account, amount: 10n * coin, memo: identifier });
    await world.read();
    expect((await held(world, 'suspense', 'pi')) - before).toBe(10n * coin);
    expect(await ledgerOf(world.shop.db, payment, 'pi')).toMatchObject({ external: -10n * coin });
  });

  test('of other units is unmatched, and blocks no other', async () => {
    const { payment, user, identifier } = await approved(false);
    const stranger = world.user();
    const before = await held(world, 'suspense', 'pi');
    world.horizon.pay({ from: stranger.wallet, to: world.config.account, amount: 1n, memo: identifier });
    await world.read();
    expect((await held(world, 'suspense', 'pi')) - before).toBe(1n);
    const { transaction } = await world.pi.userSide.submit(user, identifier);
    expect(await world.browser.complete(asked(payment), identifier, transaction!.txid)).toEqual(completed);
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });

  test('of the very same units from somebody else is not what the platform confirms', async () => {
    const { payment, user, identifier } = await approved(false);
    const stranger = world.user();
    const before = await held(world, 'suspense', 'pi');
    world.horizon.pay({
      from: stranger.wallet,
      to: world.config.account,
      amount: 10n * coin,
      memo: identifier,
    });
    await world.read();
    const { transaction } = await world.pi.userSide.submit(user, identifier);
    await world.read();
    expect(await world.browser.complete(asked(payment), identifier, transaction!.txid)).toEqual(completed);
    expect(await statusOf(world.shop, payment)).toBe('completed');
    expect((await held(world, 'suspense', 'pi')) - before).toBe(10n * coin);
    expect(await ledgerOf(world.shop.db, payment, 'pi')).toMatchObject({ external: -10n * coin });
    expect(await auditFindings(world.shop.db)).toEqual([]);
  });
});
