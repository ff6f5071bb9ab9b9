import { beforeAll, expect, test } from 'vitest';
import {
  asked,
  coin,
  openPiWorld,
  type PiProcess,
  type PiWorld,
  stateAt,
} from '../../../../test/pi/browser-world.ts';
import type { PaymentDto } from '../../../../test/pi-platform/payment.ts';
import type { PiUser } from '../../../../test/pi-platform/users.ts';
import { expireLeases } from '../../../../test/support/database.ts';
import { mortal } from '../../../../test/support/mortal.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  statusOf,
} from '../../../../test/support/payment-fixtures.ts';
import type { Payment } from '../../../payments/payment/payment.ts';
import { recoverDue } from './recover.ts';

// Who dies after a step leaves what one leaves who dies at the next. So every second step of both is every state that
// can be left: these each time, all steps in a soak.
const stride = process.env.SOAK ? 1 : 2;
const timeLimitMs = 900_000;

let world: PiWorld;
beforeAll(async () => {
  world = await openPiWorld();
});

type Sale = { payment: Payment; user: PiUser; identifier: string };

async function sale(): Promise<Sale> {
  const payment = await world.order();
  const user = world.user();
  return { payment, user, identifier: (await world.begin(user, payment)).identifier };
}

const recordOf = ({ identifier }: Sale): PaymentDto => world.pi.payment(identifier)!;

/** What the SDK does until its payment is completed, at a server that may be gone before it is. */
async function buy(at: PiProcess, sold: Sale): Promise<void> {
  const { payment, user, identifier } = sold;
  await at.browser.approve(asked(payment), identifier);
  const { status, transaction } = recordOf(sold);
  if (!status.developer_approved) return;
  if (!transaction) await world.pi.userSide.submit(user, identifier);
  await at.browser.complete(asked(payment), identifier, recordOf(sold).transaction!.txid);
  await at.read();
  await recoverDue(at.flow);
}

/** Whoever reads next need not wait for the lease of another process. */
const freeAccount = () => expireLeases(world.shop.db);

/** Lets a process of its own serve the customer up to its `step`-th exchange. Answers whether it came that far. */
async function serveUntil(step: number, outcome: 'dies' | 'dies after', sold: Sale): Promise<boolean> {
  const life = mortal(world.shop.db);
  await freeAccount();
  const doomed = world.processOn(life.db, life.step);
  life.interrupt(step, false, async () => outcome);
  await buy(doomed, sold).catch((error: Error) => {
    if (!life.isDead()) throw error;
  });
  await freeAccount();
  return life.isDead();
}

async function expectPaidOnce(sold: Sale): Promise<void> {
  const { payment, identifier } = sold;
  expect(await statusOf(world.shop, payment)).toBe('completed');
  expect(await stateAt(world, identifier)).toBe('completed');
  expect(recordOf(sold).status).toMatchObject({ developer_completed: true, cancelled: false });
  expect(await ledgerOf(world.shop.db, payment, 'pi')).toMatchObject({ external: -10n * coin });
  const events = await eventTypesOf(world.shop.db, payment);
  expect(events.filter((type) => type === 'completed')).toHaveLength(1);
}

test.each(['dies', 'dies after'] as const)(
  'a gateway that %s at any step: the callbacks that the SDK repeats bring the payment to its end, once',
  async (outcome) => {
    let isDead = true;
    let step = 1 - stride;
    while (isDead) {
      const sold = await sale();
      step += stride;
      isDead = await serveUntil(step, outcome, sold);
      await buy(world, sold);
      await world.after(10);
      await world.read();
      await expectPaidOnce(sold);
    }
    // So many exchanges there are with the database, the platform and the network.
    expect(step).toBeGreaterThan(40);
    expect(await auditFindings(world.shop.db)).toEqual([]);
  },
  timeLimitMs,
);

test.each(['dies', 'dies after'] as const)(
  'a gateway that %s at any step, and a customer who leaves: what was sent is completed, and the rest cancelled',
  async (outcome) => {
    let isDead = true;
    const sales: Sale[] = [];
    for (let step = 1; isDead; step += stride) {
      const sold = await sale();
      sales.push(sold);
      isDead = await serveUntil(step, outcome, sold);
      await world.read();
    }
    await world.after(60);
    await world.after(70 * 60);
    await world.read();
    const ends = { completed: 0, left: 0, untouched: 0 };
    for (const sold of sales) {
      const { status, transaction } = recordOf(sold);
      if (transaction) await expectPaidOnce(sold);
      const state = await stateAt(world, sold.identifier);
      // Before it was noted nothing was approved, so that nothing can come of it.
      if (state === undefined) expect(status.developer_approved).toBe(false);
      else if (!transaction) expect([state, status.cancelled]).toEqual(['cancelled', true]);
      ends[transaction ? 'completed' : state ? 'left' : 'untouched'] += 1;
    }
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(0);
    expect(await auditFindings(world.shop.db)).toEqual([]);
  },
  timeLimitMs,
);
