import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A run of seconds shows that it works; what is flat shows in a minute. */
const minutes = process.env.SOAK ? 1 : 0.05;
const always = ['answers', 'WAL on the disk', 'what was answered', 'the books'];
/** How fast it is depends on what runs beside it. */
const ofTime = ['payments at 70 %', 'requests', 'webhooks'];

// It looks at processes under /proc.
test.skipIf(process.platform !== 'linux')(
  'a short soak loses nothing, and its figures are whole',
  async () => {
    const main = join(import.meta.dirname, 'main.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--minutes', `${minutes}`]).catch(
      // A rule that a busy machine breaks.
      (error: { stdout: string }) => error,
    );
    const rows = stdout.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what  '));
    expect(rows.length).toBeGreaterThan(12);
    const isOf = (names: readonly string[]) => (row: string) =>
      names.some((name) => row.startsWith(`| ${name}`));
    const held = process.env.SOAK ? rows.filter((row) => !isOf(ofTime)(row)) : rows.filter(isOf(always));
    expect(held.length).toBeGreaterThanOrEqual(always.length);
    for (const row of held) expect(row).toMatch(/\| yes +\|$/);
  },
);
