import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { type RowName, rowNames, usualRows } from './rows.ts';

const runMs = process.env.SOAK ? 1_200_000 : 900_000;

/** Each rig starts a server and a gateway of its own: two of the five are enough here. */
const rows: RowName[] = process.env.SOAK ? rowNames : ['create', 'scan'];

test('a short run gives every row a figure, and judges none', { timeout: runMs }, async () => {
  const run = join(import.meta.dirname, 'run.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    run,
    '--seconds',
    '0.1',
    '--dry',
    '--payments',
    '20000',
    ...rows,
  ]);
  for (const name of rows) expect(stdout).toContain(`${name} ...`);
  const lines = stdout.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'));
  expect(new Set(lines.map((line) => line.split(' | ')[0])).size).toBe(rows.length);
  for (const line of lines) expect(line).toMatch(/\d\/s|\d ms|\d us|\d bytes|\d statements/);
  expect(stdout).not.toMatch(/NaN|Infinity/);
});

test('only a whole run is written', () => {
  const payments = 10_000_000;
  expect(readOptions([])).toEqual({ seconds: 5, write: true, rows: usualRows, payments });
  expect(readOptions(['--dry']).write).toBe(false);
  expect(readOptions(['--seconds', '2', 'info'])).toEqual({
    ...{ seconds: 2, write: false, rows: ['info'] },
    payments,
  });
});

test('a row that does not exist and a length that is none are refused', () => {
  expect(() => readOptions(['speed'])).toThrow('There is no row speed');
  expect(() => readOptions(['--seconds', '0'])).toThrow('positive');
  expect(() => readOptions(['--payments', 'many'])).toThrow('positive');
});
