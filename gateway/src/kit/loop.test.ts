import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Logger, pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../test/support/fixtures.ts';
import { startLoop } from './loop.ts';

const start = (name: string, everyMs: number, log: Logger, work: () => Promise<void>) =>
  startLoop({ name, everyMs, work }, log);

test('work runs again and again, one run at a time', async () => {
  let underway = 0;
  let most = 0;
  let times = 0;
  const enough = Promise.withResolvers<void>();
  const loop = start('sweep', 1, silentLog, async () => {
    underway += 1;
    most = Math.max(most, underway);
    await new Promise(setImmediate);
    underway -= 1;
    times += 1;
    if (times === 5) enough.resolve();
  });
  await enough.promise;
  await loop.stop();
  expect(most).toBe(1);
});

test('stopping waits for the current run, and none follows', async () => {
  const begun = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  let done = 0;
  const loop = start('sweep', 0, silentLog, async () => {
    begun.resolve();
    await hold.promise;
    done += 1;
  });
  await begun.promise;
  const stopped = loop.stop();
  expect(done).toBe(0);
  hold.resolve();
  await stopped;
  expect(done).toBe(1);
  await new Promise(setImmediate);
  expect(done).toBe(1);
});

test('a loop that is stopped at once never runs', async () => {
  let done = 0;
  const loop = start('sweep', 0, silentLog, async () => {
    done += 1;
  });
  await loop.stop();
  await new Promise(setImmediate);
  expect(done).toBe(0);
});

test('an error is logged with the name of the loop, and the work runs again', async () => {
  const lines = new PassThrough();
  const again = Promise.withResolvers<void>();
  let times = 0;
  const loop = start('sweep', 1, pino(lines), async () => {
    times += 1;
    if (times === 1) throw new Error('the chain is away');
    again.resolve();
  });
  const [line] = (await once(lines, 'data')) as [Buffer];
  expect(JSON.parse(line.toString())).toMatchObject({ loop: 'sweep', err: { message: 'the chain is away' } });
  expect(loop.lastDoneMs()).toBeNull();
  expect(loop.lastFault()).toMatchObject({ message: 'the chain is away' });
  await again.promise;
  await loop.stop();
  expect(loop.lastDoneMs()).toBeGreaterThan(0);
  // What works again has no fault.
  expect(loop.lastFault()).toBeNull();
});

test('work of which little is due does not wait for its next time after an error', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let times = 0;
  const loop = start('unclaimed refunds', 600_000, silentLog, async () => {
    times += 1;
    if (times <= 3) throw new Error('the database is slow');
  });
  const seconds: number[] = [];
  for (let second = 0, seen = 0; second < 20; second += 1) {
    await vi.advanceTimersByTimeAsync(second === 0 ? 0 : 1_000);
    if (times > seen) seconds.push(second);
    seen = times;
  }
  expect(seconds).toEqual([0, 1, 3, 7]);
  expect(loop.lastDoneMs()).not.toBeNull();
  await loop.stop();
});

test('what passes by itself is no fault before the first run is done, three times in a row at most', async () => {
  const lines: { level: number; loop: string; because?: string; err?: { message: string } }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const slow = new Error('canceling statement due to statement timeout');
  const stages = [slow, slow, null, slow, slow, new Error('the chain is away')];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const loop = startLoop(
    {
      ...{ name: 'sweep', everyMs: 1_000, passes: (error) => error === slow },
      async work() {
        const fault = stages.shift();
        if (fault) throw fault;
      },
    },
    log,
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await loop.stop();
  expect(lines.map(({ level }) => level)).toEqual([30, 30, 50, 50, 50]);
  expect(lines[0]).toMatchObject({ loop: 'sweep', because: slow.message });
  expect(lines.at(-1)?.err?.message).toBe('the chain is away');
  // It has worked since.
  expect(loop.lastFault()).toBeNull();
});

test('a start that stays slow is a fault in the end', async () => {
  const levels: number[] = [];
  const log = pino({}, { write: (line: string) => void levels.push(JSON.parse(line).level) });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const work = () => Promise.reject(new Error('too slow'));
  const loop = startLoop({ name: 'sweep', everyMs: 1_000, work, passes: () => true }, log);
  await vi.advanceTimersByTimeAsync(4_500);
  await loop.stop();
  expect(levels).toEqual([30, 30, 30, 50, 50]);
});
