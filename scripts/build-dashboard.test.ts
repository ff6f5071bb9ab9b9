import { expect, test } from 'vitest';
import { fingerprint, firstScripts } from './build-dashboard.ts';

test('the first script is the entry with all that it imports at once, and not what it loads later', () => {
  const manifest = {
    'src/main.tsx': {
      file: 'main.js',
      isEntry: true,
      imports: ['_shared.js'],
      dynamicImports: ['src/page.tsx'],
    },
    '_shared.js': { file: 'shared.js', imports: ['_deep.js'] },
    '_deep.js': { file: 'deep.js', imports: ['_shared.js'] },
    'src/page.tsx': { file: 'page.js', imports: ['_shared.js'] },
  };
  expect(firstScripts(manifest)).toEqual(['main.js', 'shared.js', 'deep.js']);
});

test('the same sources have the same fingerprint', () => {
  expect(fingerprint()).toMatch(/^[0-9a-f]{64}$/);
  expect(fingerprint()).toBe(fingerprint());
});
