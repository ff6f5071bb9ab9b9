import { beforeEach, describe, expect, test } from 'vitest';
import { type TestClock, testClock } from '../../../test/support/fixtures.ts';
import { Refusal } from '../../kit/errors.ts';
import { createBucketKeeper, createSharedBuckets } from '../../kit/http/shared-buckets.ts';
import { limiters } from './limiter.ts';
import { type Attempt, type SignInLimits, signInLimits } from './sign-in-limits.ts';

let clock: TestClock;
let limits: SignInLimits;
let held: number;
beforeEach(() => {
  clock = testClock();
  limits = signInLimits(limiters({ now: clock.now, rateLimit: true }));
  held = 0;
});

const elsewhere = (index: number) => `198.51.${index >> 8}.${index & 255}`;

/** Whether one more try is let in. */
async function isTaken(take: () => Promise<Attempt | undefined>, isRight = false): Promise<boolean> {
  try {
    const attempt = await take();
    if (isRight) await attempt?.succeeded();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.row.slug === 'rate_limited') return false;
    throw error;
  }
}

const onHeld = async () => {
  held++;
};
const fromUnknown = (ip: string, isRight = false, account = 'jane') =>
  isTaken(() => limits.signIn({ ip }, 'sign-in', { account, knownPlace: null, onHeld }), isRight);
const fromKnown = (knownPlace: string, isRight = false) =>
  isTaken(() => limits.signIn({ ip: '192.0.2.1' }, 'sign-in', { account: 'jane', knownPlace }), isRight);

async function countTaken(times: number, attempt: (index: number) => Promise<boolean>): Promise<number> {
  let taken = 0;
  for (let index = 0; index < times; index++) if (await attempt(index)) taken++;
  return taken;
}

test('a name of 60 KB is one bucket like a short one, and takes no memory for its length', async () => {
  const keys: string[] = [];
  const openBuckets = () => ({
    take: (key: string) => {
      keys.push(key);
      return { allowed: true, remaining: 1, resetSeconds: 0, retrySeconds: 0 };
    },
    peek: () => ({ allowed: true, remaining: 1, resetSeconds: 0, retrySeconds: 0 }),
    putBack: () => {},
  });
  const watched = signInLimits(limiters({ now: clock.now, rateLimit: true, openBuckets }));
  const long = 'x'.repeat(60_000);
  for (const account of [long, `${long}y`, long]) {
    await watched.signIn({ ip: '192.0.2.1' }, 'sign-in', { account, knownPlace: null });
    await watched.signIn({ ip: '192.0.2.1' }, 'sign-in', { account, knownPlace: long });
  }
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(100);
  const half = keys.length / 3;
  expect(keys.slice(2 * half)).toEqual(keys.slice(0, half));
  expect(keys.slice(half, 2 * half)).not.toEqual(keys.slice(0, half));
});

describe('tries from an unknown place', () => {
  test('are ten failures of an address, and then one in ten seconds', async () => {
    expect(await countTaken(12, (index) => fromUnknown('192.0.2.1', false, `account ${index}`))).toBe(10);
    clock.advance(10);
    expect(await countTaken(2, () => fromUnknown('192.0.2.1', false, 'other'))).toBe(1);
  });

  test('that succeed are not counted', async () => {
    expect(await countTaken(50, () => fromUnknown('192.0.2.1', true))).toBe(50);
    expect(await countTaken(12, () => fromUnknown('192.0.2.1'))).toBe(10);
  });

  test('that succeed are sixty at once from an address, because each check takes time', async () => {
    expect(await countTaken(70, () => fromUnknown('192.0.2.1', true))).toBe(60);
    clock.advance(5);
    expect(await countTaken(10, () => fromUnknown('192.0.2.1', true))).toBe(5);
  });

  test('at the same moment are not more than ten, right ones among them', async () => {
    const tries = Array.from({ length: 30 }, () => fromUnknown('192.0.2.1'));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(10);
  });

  test('are at most a hundred failures of one account in an hour, from however many addresses', async () => {
    let taken = 0;
    for (let second = 0; second < 3600; second += 4) {
      if (await fromUnknown(elsewhere(second))) taken++;
      clock.advance(4);
    }
    expect(taken).toBeGreaterThan(95);
    expect(taken).toBeLessThanOrEqual(100);
  });

  test('tell the owner each time that the account takes no more', async () => {
    await countTaken(60, (index) => fromUnknown(elsewhere(index)));
    expect(held).toBe(0);
    expect(await fromUnknown(elsewhere(61))).toBe(false);
    expect(held).toBe(1);
    await countTaken(11, () => fromUnknown('192.0.2.1', false, 'other'));
    expect(held).toBe(1);
  });

  test('that are refused for an account take none from their address', async () => {
    await countTaken(60, (index) => fromUnknown(elsewhere(index)));
    await countTaken(5, () => fromUnknown('192.0.2.1'));
    expect(await countTaken(12, (index) => fromUnknown('192.0.2.1', false, `account ${index}`))).toBe(10);
  });

  test('have a cap over all, which no known place meets', async () => {
    const crowd = await countTaken(610, (index) => fromUnknown(elsewhere(index), false, `account ${index}`));
    expect(crowd).toBe(600);
    expect(await fromKnown('device a')).toBe(true);
    clock.advance(1);
    const later = (index: number) => fromUnknown(elsewhere(1_000 + index), false, `later ${index}`);
    expect(await countTaken(30, later)).toBe(20);
  });
});

describe('tries from a place that the account knows', () => {
  test('are never refused for the failures of others', async () => {
    await countTaken(200, (index) => fromUnknown(elsewhere(index)));
    await countTaken(200, () => fromUnknown('192.0.2.1'));
    await countTaken(20, () => fromKnown('device thief'));
    expect(await countTaken(10, () => fromKnown('device owner'))).toBe(10);
  });

  test('are ten failures, and then one a minute', async () => {
    expect(await countTaken(12, () => fromKnown('device owner'))).toBe(10);
    clock.advance(60);
    expect(await countTaken(2, () => fromKnown('device owner'))).toBe(1);
  });

  test('count among the failures of the account where they fail, and not where they succeed', async () => {
    await countTaken(9, () => fromKnown('device owner', true));
    await countTaken(10, () => fromKnown('device owner'));
    expect(await countTaken(60, (index) => fromUnknown(elsewhere(index)))).toBe(50);
    // Right tries give back what they took, and no more.
    await countTaken(20, () => fromKnown('device other', true));
    expect(await fromUnknown(elsewhere(99))).toBe(false);
  });
});

test('each purpose has tries of its own', async () => {
  await countTaken(12, () => fromUnknown('192.0.2.1'));
  const caller = { ip: '192.0.2.1' };
  const claimed = { account: 'jane', knownPlace: null };
  expect(await isTaken(() => limits.signIn(caller, 'wallet', claimed))).toBe(true);
  expect(await isTaken(() => limits.signIn(caller, 'code', claimed))).toBe(true);
  expect(await isTaken(() => limits.unnamed(caller, 'passkey'))).toBe(true);
  expect(await isTaken(() => limits.unnamed(caller, 'reset'))).toBe(true);
  expect(await isTaken(() => limits.creating(caller, 'sign-up').then(() => undefined))).toBe(true);
});

test('passkeys and links of mails work while every account and the cap over all are used up', async () => {
  await countTaken(700, (index) => fromUnknown(elsewhere(index), false, `account ${index % 300}`));
  const caller = { ip: '203.0.113.9' };
  expect(await isTaken(() => limits.unnamed(caller, 'passkey'))).toBe(true);
  expect(await isTaken(() => limits.creating(caller, 'forgotten').then(() => undefined))).toBe(true);
  expect(await isTaken(() => limits.unnamed(caller, 'reset'))).toBe(true);
});

test('a session has ten failed proofs, and then one a minute; right ones are not counted', async () => {
  const proof = (id: string, isRight: boolean) => isTaken(() => limits.bySession({ id }, 'confirm'), isRight);
  expect(await countTaken(30, () => proof('a', true))).toBe(30);
  expect(await countTaken(12, () => proof('a', false))).toBe(10);
  expect(await proof('b', false)).toBe(true);
  clock.advance(60);
  expect(await countTaken(2, () => proof('a', false))).toBe(1);
});

test('workers share one count of failures, and what succeeded is put back for all', async () => {
  const keep = createBucketKeeper(() => clock.now().getTime());
  const workers = [1, 2].map(() =>
    signInLimits(
      limiters({
        now: clock.now,
        rateLimit: true,
        openBuckets: createSharedBuckets(async (requests) => keep(requests), 2),
      }),
    ),
  );
  const tries = (count: number, isRight: boolean) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        isTaken(
          () =>
            workers[index % 2]!.signIn({ ip: '192.0.2.1' }, 'sign-in', {
              account: `account ${index}`,
              knownPlace: null,
            }),
          isRight,
        ),
      ),
    );
  for (let round = 0; round < 5; round++) expect((await tries(8, true)).every(Boolean)).toBe(true);
  expect((await tries(16, false)).filter(Boolean)).toHaveLength(10);
});
