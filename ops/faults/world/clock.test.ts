import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { testFolder } from '../../../gateway/test/support/data-dir.ts';
import { openClock } from './clock.ts';

const hourMs = 3_600_000;

/** A process that says the time for each line it is sent, and whether the time is a Date as any other. */
function startTeller(env: Record<string, string>) {
  const program = `process.stdin.on('data', () => console.log(Date.now(), new Date() - 0, new Date() instanceof Date,
    new Date(0) - 0, new Date().constructor === Date, require('node:fs').statSync('.').mtime instanceof Date));
    import('node:timers/promises').then(({ setTimeout }) => setTimeout(3_600_000)).then(() => console.log('slept'))`;
  const child = spawn(process.execPath, ['-e', program], { env: { PATH: process.env.PATH, ...env } });
  const lines = createInterface({ input: child.stdout });
  return {
    async told(): Promise<string[]> {
      child.stdin.write('?\n');
      const [line] = (await once(lines, 'line')) as [string];
      return line.split(' ');
    },
    slept: () => once(lines, 'line'),
    end: () => child.kill(),
  };
}

test('a process follows the clock of the world, with its own skew, while it runs', async () => {
  const passed: number[] = [];
  const clock = await openClock(
    join(await testFolder(), 'clock'),
    ['one'],
    async (ms) => void passed.push(ms),
  );
  const teller = startTeller(clock.environmentOf('one'));
  const aheadMs = async () => Number((await teller.told())[0]) - Date.now();
  try {
    const [, made, ...kinds] = await teller.told();
    expect(Math.abs(Number(made) - Date.now())).toBeLessThan(60_000);
    expect(kinds).toEqual(['true', '0', 'true', 'true']);

    const sleeping = teller.slept();
    await clock.pass(2 * hourMs);
    await sleeping;
    expect(passed).toEqual([2 * hourMs]);
    await expect.poll(aheadMs).toBeGreaterThan(1.9 * hourMs);
    await clock.skew('one', -hourMs);
    await expect.poll(aheadMs).toBeLessThan(1.1 * hourMs);
    await clock.reach(Date.now() + hourMs);
    expect(clock.now() - Date.now()).toBeGreaterThan(1.9 * hourMs);
  } finally {
    teller.end();
  }
});
