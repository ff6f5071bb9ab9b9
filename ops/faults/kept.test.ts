import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../gateway/test/support/data-dir.ts';
import { keep, keptOf, readKept } from './kept.ts';
import { tableOf } from './report.ts';

const broken = { kind: 'killed', target: 'gateway-1', atMs: 0, forMs: 100, share: 0.5 } as const;
const played = (seed: number, isWrong = false) => ({
  seed,
  breaks: [broken, broken],
  drawn: [broken, broken],
  verdicts: isWrong ? [{ kind: 'lost', said: 'one | is lost' } as const] : [],
  counts: { payments: seed, units: 10n ** 30n },
  phasesMs: [1_500, 500],
  isJudged: true,
});

test('a run goes on from the seeds of its commit that ended, and its table is of all of them', async () => {
  const file = join(await testFolder(), 'below', 'faults.jsonl');
  expect(await readKept(file, 'one')).toEqual([]);
  await keep(file, keptOf(played(2, true), 'one'));
  await keep(file, keptOf(played(1), 'one'));
  await keep(file, keptOf(played(3), 'other'));
  await keep(file, keptOf({ ...played(5, true), isJudged: false }, 'one'));
  await appendFile(file, '{"seed":4,"comm');
  const kept = await readKept(file, 'one');
  expect(kept.map(({ seed, seconds }) => [seed, seconds])).toEqual([
    [1, 2],
    [2, 2],
  ]);
  const table = tableOf(kept);
  expect(table[0]).toBe('2 seeds of one in 0.0 hours, 4 breaks: 1 lost, 0 doubled, 0 wrong.');
  expect(table).toEqual(
    expect.arrayContaining(['| killed | 4 |', '| payments | 3 |', '| 2 | one \\| is lost |']),
  );
  expect(table.find((line) => line.includes('units'))).toContain('2,000,000');
});
