import { expect, test } from 'vitest';
import { createBucketKeeper, createSharedBuckets, type TokenRequest } from './shared-buckets.ts';
import type { BucketPolicy } from './token-bucket.ts';

const leased: BucketPolicy = { name: 'key', perSecond: 100, burst: 200, isLeased: true };
const whole: BucketPolicy = { name: 'sign-in', perSecond: 0.1, burst: 10 };

/** Some processes, each with buckets that one keeper has. */
function processes(count: number) {
  const clock = { ms: 0 };
  const asked: TokenRequest[][] = [];
  const keep = createBucketKeeper(() => clock.ms);
  const open = () =>
    createSharedBuckets(async (requests) => {
      asked.push(requests);
      return keep(requests);
    }, count);
  return { clock, asked, all: Array.from({ length: count }, open) };
}

async function allowedOf(
  attempts: { allowed: boolean }[] | Promise<{ allowed: boolean }>[],
): Promise<number> {
  return (await Promise.all(attempts)).filter(({ allowed }) => allowed).length;
}

test.each([leased, whole])(
  '$name: two processes let through what one bucket holds, and no more',
  async (policy) => {
    const { all } = processes(2);
    const buckets = all.map((open) => open(policy));
    const attempts = Array.from({ length: 3 * policy.burst }, (_, index) =>
      Promise.resolve(buckets[index % 2]!.take('k', 0)),
    );
    expect(await allowedOf(attempts)).toBe(policy.burst);
  },
);

test('what refills is given once, whoever asks for it', async () => {
  const { all, clock } = processes(3);
  const buckets = all.map((open) => open(leased));
  const round = async () => {
    let allowed = 0;
    for (let turn = 0; turn < 300; turn++) {
      for (const bucket of buckets) if ((await bucket.take('k', clock.ms)).allowed) allowed++;
    }
    return allowed;
  };
  expect(await round()).toBe(leased.burst);
  clock.ms = 500;
  expect(await round()).toBe(leased.perSecond / 2);
});

test('a leased policy is asked for once in several requests, another one each time', async () => {
  const { all, asked } = processes(2);
  const [one] = all;
  for (const policy of [leased, whole]) {
    const bucket = one!(policy);
    for (let turn = 0; turn < 8; turn++) await bucket.take('k', 0);
  }
  const names = asked.flat().map(({ policy }) => policy.name);
  expect(names.filter((name) => name === 'key')).toHaveLength(2);
  expect(names.filter((name) => name === 'sign-in')).toHaveLength(8);
});

test('tokens that were taken ahead are not used after a second', async () => {
  const { all, asked } = processes(2);
  const bucket = all[0]!(leased);
  await bucket.take('k', 0);
  await bucket.take('k', 999);
  expect(asked).toHaveLength(1);
  await bucket.take('k', 1_000);
  expect(asked).toHaveLength(2);
});

test('requests that come together are one message, with one line for each bucket', async () => {
  const { all, asked } = processes(2);
  const bucket = all[0]!(whole);
  await Promise.all(['a', 'b', 'a', 'b', 'a'].map((key) => bucket.take(key, 0)));
  expect(asked.map((requests) => requests.map(({ key, most }) => `${key} ${most}`))).toEqual([
    ['a 3', 'b 2'],
  ]);
});

test('a refusal says when to come again, also where a neighbour got the last token', async () => {
  const { all } = processes(2);
  const bucket = all[0]!(whole);
  const states = await Promise.all(Array.from({ length: 11 }, () => bucket.take('k', 0)));
  expect(states.at(-1)).toMatchObject({ allowed: false, remaining: 0, retrySeconds: 10 });
});

test('looking takes nothing', async () => {
  const { all } = processes(2);
  const bucket = all[0]!(whole);
  for (let turn = 0; turn < 20; turn++) expect((await bucket.peek('k', 0)).allowed).toBe(true);
  for (let turn = 0; turn < 10; turn++) await bucket.take('k', 0);
  expect((await bucket.peek('k', 0)).allowed).toBe(false);
});
