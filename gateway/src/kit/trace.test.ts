import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { notedScope } from '../../test/traces/noted-scope.ts';
import { batched } from './db/batch.ts';
import { createWaker } from './db/waker.ts';
import { type Scope, scopeHere, spanEach, within } from './trace.ts';

test('each item of a batch has a span in its own trace, and what concerns it is below that', async () => {
  const root = notedScope();
  const [first, second] = [root.begin('first'), root.begin('second')];
  const items = [
    { scope: first, subject: 'A' },
    { scope: undefined, subject: 'B' },
    { scope: second, subject: 'C' },
  ];
  await spanEach('commit', items, async () => {
    await turn();
    for (const subject of ['C', 'A', 'unknown']) scopeHere(subject)?.begin(`event of ${subject}`).end();
  });
  expect(root.noted).toEqual([
    'second > commit > event of C, well',
    'first > commit > event of A, well',
    'first > commit > event of unknown, well',
    'first > commit, well',
    'second > commit, well',
  ]);
  await expect(spanEach('commit', items, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(root.noted.slice(-2)).toEqual(['first > commit, by a fault', 'second > commit, by a fault']);
});

test('what goes on for others is in no scope of the request that began it', async () => {
  const request = notedScope();
  const seen: (Scope | undefined)[] = [];
  const submit = batched<number, number>(async (items) => {
    seen.push(scopeHere());
    return items;
  });
  const waker = createWaker(
    async () => {
      seen.push(scopeHere());
    },
    () => {},
  );
  await within(request, async () => {
    await submit(1);
    waker.wake();
    expect(scopeHere()).toBe(request);
  });
  await waker.stop();
  expect(seen).toEqual([undefined, undefined]);
});
