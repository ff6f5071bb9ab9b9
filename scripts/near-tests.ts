import { basename, dirname } from 'node:path/posix';

const isTest = (path: string): boolean => path.endsWith('.test.ts');
// They start a browser, or play for long.
const isSlow = (path: string): boolean => /\.(?:browser|soak|soak-only)\./.test(path);
const stemOf = (path: string): string => basename(path).split('.')[0] ?? '';

/**
 * The tests nearest to what was changed: a changed test itself; for a source the tests of its own name beside it, or else
 * all tests of its folder. Tests in a browser and long ones only where they were changed themselves. Paths from the root,
 * with `/`.
 */
export function nearTests(changed: readonly string[], files: readonly string[]): string[] {
  const tests = files.filter(isTest);
  const found = changed.flatMap((path) => {
    if (isTest(path)) return tests.filter((each) => each === path);
    if (!/\.(?:ts|tsx|sql|css)$/.test(path)) return [];
    const beside = tests.filter((each) => dirname(each) === dirname(path) && !isSlow(each));
    const own = beside.filter((each) => stemOf(each) === stemOf(path));
    return own.length > 0 ? own : beside;
  });
  return [...new Set(found)].sort();
}
