import { describe, expect, test } from 'vitest';
import { asked, coin, openPiWorld, stateAt } from '../../../../test/pi/browser-world.ts';
import { statusOf } from '../../../../test/support/payment-fixtures.ts';

const world = await openPiWorld();

const cancelled = { status: 'cancelled' };
const unknown = { status: 'refused', message_key: 'pi_unknown' };

async function begun(metadata?: object) {
  const payment = await world.order();
  const user = world.user();
  const { identifier } = await world.begin(user, payment, metadata && { metadata });
  return { payment, user, identifier, approve: () => world.browser.approve(asked(payment), identifier) };
}

const platformStatus = (identifier: string) => world.pi.payment(identifier)!.status;

describe('a payment that the SDK finds incomplete at the next visit', () => {
  test('is completed where it was paid, whichever page is open now', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    await world.pi.userSide.submit(user, identifier);
    expect(await world.browser.incomplete(identifier)).toEqual({ status: 'completed' });
    expect(await world.browser.incomplete(identifier)).toEqual({ status: 'completed' });
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    // Now the next one can begin.
    const next = await world.order();
    const { identifier: another } = await world.begin(user, next);
    expect(await world.browser.approve(asked(next), another)).toEqual({ status: 'approved' });
  });

  test('is completed though its own page has closed for ever', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    await world.pi.userSide.submit(user, identifier);
    world.shop.clock.advance(3 * 3_600);
    expect(await world.browser.incomplete(identifier)).toEqual({ status: 'completed' });
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });

  test('is not cancelled by a stranger who reads its memo on the chain before the platform and the gateway', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    const before = world.horizon.core.accounts.get(world.config.account)!.units;
    world.horizon.pay({ from: user.wallet, to: world.config.account, amount: 10n * coin, memo: identifier });
    expect(world.horizon.core.accounts.get(world.config.account)!.units - before).toBe(10n * coin);
    expect(await world.browser.incomplete(identifier)).toEqual({ status: 'completed' });
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });

  test('is never confirmed by a deposit that was unmatched before its memo was known', async () => {
    const { payment, user, identifier, approve } = await begun();
    const amount = 10n * coin;
    const hash = world.horizon.pay({ from: user.wallet, to: world.config.account, amount, memo: identifier });
    await world.read();
    expect(await approve()).toEqual({ status: 'approved' });
    expect(await world.browser.complete(asked(payment), identifier, hash)).toMatchObject({
      status: 'refused',
    });
    expect(await world.browser.incomplete(identifier)).toEqual(cancelled);
    expect(platformStatus(identifier)).toMatchObject({ developer_completed: false, cancelled: true });
    expect(await statusOf(world.shop, payment)).toBe('linked');
  });

  test('is cancelled where nothing was sent, and its payment can be paid anew', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    expect(await world.browser.incomplete(identifier)).toEqual(cancelled);
    expect(platformStatus(identifier).cancelled).toBe(true);
    const { identifier: another } = await world.begin(user, payment);
    expect(await world.browser.approve(asked(payment), another)).toEqual({ status: 'approved' });
  });

  test('is cancelled though its approval never reached us', async () => {
    const { identifier } = await begun();
    expect(await world.browser.incomplete(identifier)).toEqual(cancelled);
    expect(platformStatus(identifier).cancelled).toBe(true);
    expect(await world.browser.incomplete(identifier)).toEqual(cancelled);
    expect(await stateAt(world, identifier)).toBeUndefined();
  });

  test.each([{}, { reference: 'another-system-1' }, { reference: null }, { reference: 'no\u0000text' }])(
    'is left alone where it is of another program of the app: %j',
    async (metadata) => {
      const { identifier } = await begun(metadata);
      expect(await world.browser.incomplete(identifier)).toEqual(unknown);
      expect(platformStatus(identifier).cancelled).toBe(false);
    },
  );

  test('is unknown where the platform knows none', async () => {
    expect(await world.browser.incomplete('nothing')).toEqual(unknown);
  });

  test('is waited for where the platform does not answer', async () => {
    const { identifier, approve } = await begun();
    await approve();
    world.pi.faults.add({ on: /cancel$/, status: 500 });
    const waiting = { status: 'pending', message_key: 'pi_not_reached' };
    expect(await world.browser.incomplete(identifier)).toEqual(waiting);
    expect(await world.browser.incomplete(identifier)).toEqual(cancelled);
  });
});

describe('a customer who gives up', () => {
  test('in the wallet ends it here as well', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    world.pi.userSide.cancel(user, identifier);
    expect(await world.browser.cancel(asked(payment), identifier)).toEqual(cancelled);
    expect(await stateAt(world, identifier)).toBe('cancelled');
    expect(await statusOf(world.shop, payment)).toBe('linked');
  });

  test('after an error of the SDK leaves nothing open at the platform', async () => {
    const { payment, identifier, approve } = await begun();
    await approve();
    expect(await world.browser.cancel(asked(payment), identifier)).toEqual(cancelled);
    expect(platformStatus(identifier).cancelled).toBe(true);
  });

  test('and has sent all the same has paid', async () => {
    const { payment, user, identifier, approve } = await begun();
    await approve();
    await world.pi.userSide.submit(user, identifier);
    expect(await world.browser.cancel(asked(payment), identifier)).toEqual({ status: 'completed' });
  });

  test('ends what was never approved, of this page alone', async () => {
    const { payment, identifier } = await begun();
    const other = await world.order();
    expect(await world.browser.cancel(asked(other), identifier)).toEqual(unknown);
    expect(platformStatus(identifier).cancelled).toBe(false);
    expect(await world.browser.cancel(asked(payment), identifier)).toEqual(cancelled);
  });

  test('cannot end that of another page', async () => {
    const { identifier, approve } = await begun();
    await approve();
    const other = await world.order();
    expect(await world.browser.cancel(asked(other), identifier)).toEqual(unknown);
    expect(await stateAt(world, identifier)).toBe('approved');
  });
});
