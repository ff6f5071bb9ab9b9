import { expect, test } from 'vitest';
import { readServeOptions } from './options.ts';

const plain = { networks: { chain: false, pi: false }, role: 'all', workers: null };

test('the words of a start are read in any order', () => {
  expect(readServeOptions([])).toEqual(plain);
  expect(readServeOptions(['--workers', '4'])).toEqual({ ...plain, workers: 4 });
  expect(readServeOptions(['--workers=2', '--role=api'])).toEqual({ ...plain, workers: 2, role: 'api' });
  expect(readServeOptions(['--pi', '--role', 'worker', '--chain'])).toEqual({
    ...plain,
    networks: { chain: true, pi: true },
    role: 'worker',
  });
});

test.each([
  [['--workers'], '--workers must be'],
  [['--workers', '0'], '--workers must be'],
  [['--workers', '65'], '--workers must be'],
  [['--workers', 'two'], '--workers must be'],
  [['--role', 'all'], '--role must be'],
  [['--speed'], 'does not know the option --speed'],
])('%j is refused', (words, why) => {
  expect(readServeOptions(words)).toContain(why);
});
