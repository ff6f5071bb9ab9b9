import { describe, expect, test } from 'vitest';
import { asked, coin, held, openPiWorld, stateAt } from '../../../../test/pi/browser-world.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  statusOf,
} from '../../../../test/support/payment-fixtures.ts';
import { expireDue } from '../../../payments/settlement/expire.ts';
import type { Platform } from './client.ts';
import type { PlatformDeps } from './deps.ts';
import { recoverDue } from './recover.ts';

const world = await openPiWorld();

const minute = 60;

async function approved() {
  const payment = await world.order();
  const user = world.user();
  const { identifier } = await world.begin(user, payment);
  await world.browser.approve(asked(payment), identifier);
  return { payment, user, identifier };
}

/** The same flow, and how often it asked for the record of this payment. */
function counting(identifier: string): { flow: PlatformDeps; asked(): number } {
  let count = 0;
  const platform: Platform = {
    ...world.flow.platform,
    payment: (name, signal) => {
      if (name === identifier) count++;
      return world.flow.platform.payment(name, signal);
    },
  };
  return { flow: { ...world.flow, platform }, asked: () => count };
}

const isCancelled = (identifier: string) => world.pi.payment(identifier)!.status.cancelled;

test('what is approved and never signed is cancelled ten minutes after the deadline', async () => {
  const { payment, identifier } = await approved();
  await world.after(69 * minute);
  expect(await stateAt(world, identifier)).toBe('approved');
  await world.after(1 * minute);
  expect(await stateAt(world, identifier)).toBe('cancelled');
  expect(isCancelled(identifier)).toBe(true);
  expect(await world.browser.approve(asked(payment), identifier)).toEqual({ status: 'cancelled' });
});

test('what was signed after the deadline, while the platform waited, is completed, though no callback came', async () => {
  const { payment, user, identifier } = await approved();
  world.shop.clock.advance(65 * minute);
  await world.pi.userSide.submit(user, identifier);
  await world.after(5 * minute);
  expect(await stateAt(world, identifier)).toBe('completed');
  await world.read();
  world.shop.clock.advance(minute);
  await expireDue(world.shop.db, world.shop.deps);
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

test('the platform is asked ever less often, and often again once money came', async () => {
  const { user, identifier } = await approved();
  const { flow, asked: asks } = counting(identifier);
  for (let seconds = 0; seconds < 30 * minute; seconds += 5) {
    world.shop.clock.advance(5);
    await recoverDue(flow);
  }
  const before = asks();
  expect(before).toBeGreaterThan(4);
  expect(before).toBeLessThan(10);
  await world.pi.userSide.submit(user, identifier);
  await world.read();
  await recoverDue(flow);
  expect(await stateAt(world, identifier)).toBe('completed');
});

test('any number of processes ask once', async () => {
  const { identifier } = await approved();
  world.shop.clock.advance(10);
  const { flow, asked: asks } = counting(identifier);
  await Promise.all(Array.from({ length: 4 }, () => recoverDue(flow)));
  expect(asks()).toBe(1);
});

describe('when the platform refuses to confirm', () => {
  /** Paid by hand, with the memo of what the platform does not know to be approved. */
  async function unapprovedButPaid() {
    const payment = await world.order();
    const user = world.user();
    const { identifier } = await world.begin(user, payment);
    world.pi.faults.add({ on: /approve$/, status: 500 });
    await world.browser.approve(asked(payment), identifier);
    const to = world.config.account;
    world.horizon.pay({ from: user.wallet, to, amount: 10n * coin, memo: identifier });
    await world.read();
    expect(await statusOf(world.shop, payment)).toBe('pending');
    return { payment, user, identifier };
  }

  test('for a while, it is asked again; for an hour, the money is unmatched and operators see it', async () => {
    const { payment, identifier } = await unapprovedButPaid();
    const before = await held(world, 'suspense', 'pi');
    await world.after(1);
    expect(await stateAt(world, identifier)).toBe('paid');
    await world.after(30);
    expect(await stateAt(world, identifier)).toBe('paid');
    for (let times = 0; times < 10; times++) await world.after(5 * minute);
    expect(await stateAt(world, identifier)).toBe('paid');
    expect(await held(world, 'suspense', 'pi')).toBe(before);
    await world.after(60 * minute);
    expect(await stateAt(world, identifier)).toBe('refused');
    expect((await held(world, 'suspense', 'pi')) - before).toBe(10n * coin);
    expect(await ledgerOf(world.shop.db, payment, 'pi')).toEqual({});
    expect(await eventTypesOf(world.shop.db, payment)).toEqual(['linked', 'pending']);
    expect(await auditFindings(world.shop.db)).toEqual([]);
  });

  test('and thinks better of it, the payment is completed', async () => {
    const { payment, user, identifier } = await unapprovedButPaid();
    await world.after(1);
    await fetch(`${world.pi.apiUrl}/payments/${identifier}/approve`, {
      method: 'POST',
      headers: { authorization: 'Key the-server-key-of-the-app' },
    });
    await world.after(20);
    expect(world.pi.userSide.get(user, identifier).status.developer_completed).toBe(true);
    expect(await statusOf(world.shop, payment)).toBe('completed');
  });
});

test('operators see what is paid and not confirmed, and why', async () => {
  const [probe] = world.gateway.probes;
  const faults = async () => (await probe!()).faults.filter(({ code }) => code === 'not_completed');
  const { payment, user, identifier } = await approved();
  await world.pi.userSide.submit(user, identifier);
  await world.read();
  world.pi.faults.add({ on: /complete$/, status: 503, times: 100 });
  await world.after(1);
  expect(await faults()).toEqual([]);
  await world.after(3 * minute);
  const [fault] = await faults();
  expect(fault!.message).toMatch(
    /^Paid payments that the Pi platform has not confirmed: 1\. The last reason: 127\.0\.0\.1:\d+: answered 503$/,
  );
  world.pi.faults.clear();
  await world.after(10 * minute);
  expect(await faults()).toEqual([]);
  expect(await statusOf(world.shop, payment)).toBe('completed');
});

test('what the platform no longer knows is given up', async () => {
  const { identifier } = await approved();
  const gone = { ...world.flow.platform, payment: (_: string) => world.flow.platform.payment('nothing') };
  const flow = { ...world.flow, platform: gone };
  world.shop.clock.advance(10);
  await recoverDue(flow);
  expect(await stateAt(world, identifier)).toBe('approved');
  world.shop.clock.advance(5 * minute);
  await recoverDue(flow);
  expect(await stateAt(world, identifier)).toBe('cancelled');
});
