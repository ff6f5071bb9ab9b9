import { Keypair } from '@stellar/stellar-sdk/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coin, type Desk, openDesk, outside } from '../../../../test/pi/send-fixtures.ts';
import { whichRuns } from '../../../../test/schedules/runs.ts';
import { expireLeases, testDatabase } from '../../../../test/support/database.ts';
import { Killed, mortal } from '../../../../test/support/mortal.ts';
import type { OrderSender } from './sender.ts';

// `npm run test:soak` plays 600 schedules, any other run twelve, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 600 : 12;
const which = whichRuns(process.env, 20261121);
const soakMs = process.env.SOAK ? 1_200_000 : 900_000;
const { db } = await testDatabase();

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      units: fc.constantFrom(1n, 5n * coin, 700n * coin),
      to: fc.constantFrom('customer', 'customer', 'customer', 'nobody'),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('tick'), who: fc.nat(1) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pass'), seconds: fc.constantFrom(1, 5, 5, 30, 100) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fault'),
      fault: fc.constantFrom(
        { kind: 'timeout', applies: true, method: 'POST' } as const,
        { kind: 'timeout', method: 'POST' } as const,
        { kind: 'lost' } as const,
        { kind: 'reset' } as const,
        { kind: 'truncated' } as const,
        { kind: 'html' } as const,
        { kind: 'error' } as const,
        { kind: 'empty' } as const,
        { kind: 'stale', ledgers: 3 } as const,
        { kind: 'rate_limited', retryAfterSeconds: 20 } as const,
      ),
      times: fc.constantFrom(1, 1, 3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill'), at: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by hand') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fee'),
      units: fc.constantFrom(100_000n, 150_000n, 2_000_000n),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Twins of a schedule differ in their memo alone, which is how it is seen what was sent twice. */
async function play(desk: Desk, schedule: Event[]): Promise<void> {
  const senders: OrderSender[] = [desk.sender(), desk.sender()];
  for (const each of schedule) {
    if (each.kind === 'order') {
      const to = each.to === 'customer' ? desk.customer : Keypair.random();
      await desk.order({ units: each.units, to: to.publicKey(), memo: `n${desk.ids.length}` });
    } else if (each.kind === 'tick') await senders[each.who]!.tick();
    else if (each.kind === 'pass') desk.pass(each.seconds);
    else if (each.kind === 'read') await desk.reader.tick();
    else if (each.kind === 'fault') desk.horizon.faults.add({ ...each.fault, times: each.times });
    else if (each.kind === 'by hand') byHand(desk);
    else if (each.kind === 'fee') desk.horizon.core.baseFee = each.units;
    else {
      const life = mortal(db);
      life.interrupt(each.at, false, async () => (each.at % 2 === 0 ? 'dies' : 'dies after'));
      await desk
        .sender(outside(life, desk.deps))
        .tick()
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
      await expireLeases(db);
    }
  }
}

/** Somebody else with the key takes the next sequence number. */
function byHand({ horizon, custody, customer }: Desk): void {
  try {
    horizon.pay({ from: custody, to: customer.publicKey(), amount: 1n, memo: 'by hand', fee: 2_000_000n });
  } catch {
    // One of ours waits in the next ledger under that number.
  }
}

async function settle(desk: Desk): Promise<void> {
  const { horizon } = desk;
  horizon.faults.clear();
  horizon.core.baseFee = 100_000n;
  horizon.fund(desk.pi.account, 100_000n * coin);
  const sender = desk.sender();
  const isOver = async () =>
    (await Promise.all(desk.ids.map(desk.standing))).every(
      (each) => each?.state === 'settled' || each?.state === 'failed',
    );
  for (let round = 0; round < 60 && !(await isOver()); round++) {
    desk.pass(round % 3 === 0 ? 3600 : 30);
    await sender.tick();
    await desk.reader.tick();
  }
  // Long enough for a Horizon that rests.
  desk.pass(120);
  await desk.reader.tick();
}

test(
  'whatever goes wrong, each order is sent once or not at all, and every stroop is accounted for',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (schedule) => {
        const desk = await openDesk(db, { closeMs: null, submitTimeoutMs: 10 });
        const before = desk.balance();
        await play(desk, schedule);
        await settle(desk);
        const paid = (await desk.paid()).map(({ memo }) => memo);
        const expected: string[] = [];
        for (const [at, id] of desk.ids.entries()) {
          const standing = await desk.standing(id);
          expect(standing?.state).toMatch(/settled|failed/);
          expect(desk.failures.some((each) => each.id === id)).toBe(standing!.state === 'failed');
          if (standing!.state === 'settled') expected.push(`n${at}`);
        }
        expect(paid.filter((memo) => memo !== 'by hand').sort()).toEqual(expected.sort());
        const left = desk.outflows.reduce((sum, { units, fee }) => sum + units + fee, 0n);
        expect(desk.balance()).toBe(before + 100_000n * coin - left);
      }),
      { numRuns: runs, ...which },
    );
  },
  soakMs,
);
