import { Keypair } from '@stellar/stellar-sdk';
import { describe, expect, test } from 'vitest';
import { asked, coin, openPiWorld, type PiWorld, stateAt } from '../../../../test/pi/browser-world.ts';
import {
  endedOrWaiting,
  eventTypesOf,
  ledgerOf,
  statusOf,
  write,
} from '../../../../test/support/payment-fixtures.ts';
import { cancelPayment } from '../../../payments/settlement/act.ts';
import { memoOfOwner } from '../memos/memos.ts';
import { createPiBrowser } from './browser.ts';

const world = await openPiWorld();

const approved = { status: 'approved' };
const refusedFor = (message_key: string) => ({ status: 'refused', message_key });
const notReached = { status: 'pending', message_key: 'pi_not_reached' };

const isApproved = (identifier: string) => world.pi.payment(identifier)!.status.developer_approved;
const isCancelled = (identifier: string) => world.pi.payment(identifier)!.status.cancelled;

async function begun(wrong = {}) {
  const payment = await world.order();
  const user = world.user();
  const { identifier } = await world.begin(user, payment, wrong);
  return { payment, user, identifier, approve: () => world.browser.approve(asked(payment), identifier) };
}

test('what is approved, signed and sent completes its payment, however often the SDK reports it', async () => {
  const { payment, user, identifier, approve } = await begun();
  expect(await approve()).toEqual(approved);
  expect(await approve()).toEqual(approved);
  expect(await statusOf(world.shop, payment)).toBe('linked');
  const { transaction } = await world.pi.userSide.submit(user, identifier);
  const complete = () => world.browser.complete(asked(payment), identifier, transaction!.txid);
  expect(await complete()).toEqual({ status: 'completed' });
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('completed');
  expect(await ledgerOf(world.shop.db, payment, 'pi')).toMatchObject({ external: -10n * coin });
  expect(await complete()).toEqual({ status: 'completed' });
  expect(await approve()).toEqual({ status: 'completed' });
  expect(await eventTypesOf(world.shop.db, payment)).toEqual(['linked', 'completed']);
  expect(world.pi.payment(identifier)).toMatchObject({ status: { developer_completed: true } });
});

test('callbacks that come at once are one approval', async () => {
  const { approve, identifier } = await begun();
  const answers = await Promise.all([approve(), approve(), approve(), approve()]);
  expect(answers).toEqual([approved, approved, approved, approved]);
  expect(await stateAt(world, identifier)).toBe('approved');
});

describe('what a page asks for is held against the payment:', () => {
  test.each<[string, object]>([
    ['less than what is due', { amount: 9.9999999 }],
    ['more than what is due', { amount: 10.0000001 }],
    ['other words', { memo: 'a gift' }],
  ])('%s is refused and cancelled', async (_, wrong) => {
    const { approve, identifier } = await begun(wrong);
    expect(await approve()).toEqual(refusedFor('pi_mismatch'));
    expect([isApproved(identifier), isCancelled(identifier)]).toEqual([false, true]);
    expect(await approve()).toEqual({ status: 'cancelled' });
  });

  test.each<[string, () => Partial<PiWorld['config']>]>([
    ['another account', () => ({ account: Keypair.random().publicKey() })],
    ['another network', () => ({ passphrase: 'Pi Network' })],
  ])('money for %s is refused', async (_, other) => {
    const { payment, identifier } = await begun();
    const browser = createPiBrowser({ ...world.flow, pi: { ...world.config, ...other() } });
    expect(await browser.approve(asked(payment), identifier)).toEqual(refusedFor('pi_mismatch'));
    expect(isApproved(identifier)).toBe(false);
  });

  test('what names no payment, or that of another page, is left alone', async () => {
    const { payment, user } = await begun();
    const other = await world.order();
    for (const metadata of [{}, { reference: 7 }, { reference: other.reference }]) {
      const memo = (await memoOfOwner(world.shop.db, payment.id))!;
      const { identifier } = world.pi.userSide.create(user, { amount: 10, memo, metadata });
      expect(await world.browser.approve(asked(payment), identifier)).toEqual(refusedFor('pi_unknown'));
      expect([isApproved(identifier), isCancelled(identifier)]).toEqual([false, false]);
    }
  });

  test('the identifier of another payment pays nothing', async () => {
    const one = await begun();
    await one.approve();
    const other = await world.order();
    expect(await world.browser.approve(asked(other), one.identifier)).toEqual(refusedFor('pi_unknown'));
    expect(isCancelled(one.identifier)).toBe(false);
    expect(await world.browser.approve(asked(other), 'nothing')).toEqual(refusedFor('pi_unknown'));
  });

  test('money that the app sends is none that it gets', async () => {
    const { payment, user } = await begun();
    const response = await fetch(`${world.pi.apiUrl}/payments`, {
      method: 'POST',
      headers: { authorization: 'Key the-server-key-of-the-app', 'content-type': 'application/json' },
      body: JSON.stringify({
        payment: { amount: 10, memo: 'x', metadata: { reference: payment.reference }, uid: user.uid },
      }),
    });
    const { identifier } = (await response.json()) as { identifier: string };
    expect(await world.browser.approve(asked(payment), identifier)).toEqual(refusedFor('pi_unknown'));
  });
});

test('after a part came by transfer the rest is approved, and nothing else', async () => {
  const payment = await world.order();
  const user = world.user();
  const memo = (await memoOfOwner(world.shop.db, payment.id))!;
  world.horizon.pay({ from: user.wallet, to: world.config.account, amount: 4n * coin, memo });
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('pending');
  const whole = await world.begin(user, payment);
  expect(await world.browser.approve(asked(payment), whole.identifier)).toEqual(refusedFor('pi_mismatch'));
  const rest = await world.begin(user, payment, { amount: 6 });
  expect(await world.browser.approve(asked(payment), rest.identifier)).toEqual(approved);
  const { transaction } = await world.pi.userSide.submit(user, rest.identifier);
  await world.browser.complete(asked(payment), rest.identifier, transaction!.txid);
  await world.read();
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

describe('what can no longer be paid is refused, and cancelled at the platform:', () => {
  test('after the deadline', async () => {
    const { payment, approve, identifier } = await begun();
    world.shop.clock.advance(3_600);
    expect(await approve()).toEqual(refusedFor('pi_not_payable'));
    expect(isCancelled(identifier)).toBe(true);
    expect(await statusOf(world.shop, payment)).toBe('cancelled abandoned');
  });

  test('after the customer has cancelled', async () => {
    const { payment, approve, identifier } = await begun();
    await write(world.shop, (tx) => cancelPayment(tx, world.shop.deps, payment.id, 'customer'));
    expect(await approve()).toEqual(refusedFor('pi_not_payable'));
    expect(isCancelled(identifier)).toBe(true);
  });

  test('once all of it was seen', async () => {
    const { payment, user, approve, identifier } = await begun();
    const memo = (await memoOfOwner(world.shop.db, payment.id))!;
    world.horizon.pay({ from: user.wallet, to: world.config.account, amount: 10n * coin, memo });
    await world.read();
    expect(await approve()).toEqual(refusedFor('pi_not_payable'));
    expect(isCancelled(identifier)).toBe(true);
  });
});

describe('when two customers open the page of one payment', () => {
  test('the first is cancelled while nothing was sent, and the second can pay', async () => {
    const { payment, approve, user, identifier } = await begun();
    await approve();
    const second = await world.begin(world.user(), payment);
    expect(await world.browser.approve(asked(payment), second.identifier)).toEqual(approved);
    expect(isCancelled(identifier)).toBe(true);
    expect(await stateAt(world, identifier)).toBe('cancelled');
    expect(await approve()).toEqual({ status: 'cancelled' });
    await expect(world.pi.userSide.submit(user, identifier)).rejects.toThrow();
  });

  test('the second is turned away when the first has sent, whether that was read or not', async () => {
    const { payment, approve, user, identifier } = await begun();
    await approve();
    await world.pi.userSide.submit(user, identifier);
    const second = await world.begin(world.user(), payment);
    const refused = await world.browser.approve(asked(payment), second.identifier);
    expect(refused).toEqual(refusedFor('pi_other_paid'));
    expect(isCancelled(second.identifier)).toBe(true);
    expect(await stateAt(world, identifier)).toBe('completed');
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });

  test('one of two who come at once is let through', async () => {
    const { payment, approve, identifier } = await begun();
    const second = await world.begin(world.user(), payment);
    await Promise.all([approve(), world.browser.approve(asked(payment), second.identifier)]);
    const states = [await stateAt(world, identifier), await stateAt(world, second.identifier)];
    expect(states.filter((state) => state === 'approved').length).toBeLessThanOrEqual(1);
    const open = [identifier, second.identifier].filter((each) => isApproved(each) && !isCancelled(each));
    expect(open.length).toBeLessThanOrEqual(1);
  });
});

describe('when the platform does not answer as it should', () => {
  const onApprove = /approve$/;

  test.each([
    ['its reply is lost', { on: onApprove, afterEffect: true, cut: true }],
    ['what stands before it fails after all was done', { on: onApprove, afterEffect: true, status: 502 }],
  ])('%s: its record says that it approved', async (_, fault) => {
    const { approve, identifier } = await begun();
    world.pi.faults.add(fault);
    expect(await approve()).toEqual(approved);
    expect(await stateAt(world, identifier)).toBe('approved');
  });

  test.each([500, 503, 429, 408, 401, 400])(
    '%i is no answer: the next callback is approved',
    async (status) => {
      const { approve, identifier } = await begun();
      world.pi.faults.add({ on: onApprove, status });
      expect(await approve()).toEqual(notReached);
      expect(await stateAt(world, identifier)).toBe('created');
      expect(await approve()).toEqual(approved);
    },
  );

  test('nothing is noted while it cannot be asked', async () => {
    const { payment, approve, identifier } = await begun();
    world.pi.faults.add({ cut: true, times: 2 });
    expect(await approve()).toEqual(notReached);
    expect(await stateAt(world, identifier)).toBeUndefined();
    expect(await statusOf(world.shop, payment)).toBe('unlinked');
    world.pi.faults.clear();
  });

  test('the customer is answered in time', async () => {
    const { payment, identifier } = await begun();
    const hasty = createPiBrowser(world.flow, 200);
    world.pi.faults.add({ on: onApprove, delayMs: 1_000 });
    expect(await hasty.approve(asked(payment), identifier)).toEqual(notReached);
  });

  test('no lock is held while it thinks', async () => {
    const { payment, approve } = await begun();
    world.pi.faults.add({ on: onApprove, delayMs: 500 });
    const slow = approve();
    const pick = write(world.shop, (tx) =>
      tx.query('SELECT FROM payments WHERE id = $1 FOR UPDATE', [payment.id]),
    );
    await endedOrWaiting(world.shop.db, pick);
    await pick;
    expect(await slow).toEqual(approved);
  });
});
