import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fingerprint, firstScripts, keepFiles, programFiles, scatteredPages } from './build-dashboard.ts';

test('the first script is the program with all that it imports at once, and not what it loads later', () => {
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

test('a page that loads more than six scripts is named', () => {
  const parts = ['a', 'b', 'c', 'd', 'e'];
  const manifest = {
    'src/main.tsx': { file: 'main.js', isEntry: true, imports: ['_a'] },
    'src/pages/few-page.tsx': { file: 'few.js', imports: ['_a', '_b'] },
    'src/pages/many-page.tsx': { file: 'many.js', imports: parts.map((part) => `_${part}`) },
    ...Object.fromEntries(parts.map((part) => [`_${part}`, { file: `${part}.js` }])),
  };
  expect(scatteredPages(manifest)).toEqual(['src/pages/many-page.tsx loads 7 scripts']);
});

test('the sign-in page is told what the first page after it needs, and the texts of each language', () => {
  const manifest = {
    'index.html': { file: 'assets/start.js', isEntry: true },
    'src/main.tsx': { file: 'assets/main.js', imports: ['_shared.js'], css: ['assets/main.css'] },
    '_shared.js': { file: 'assets/shared.js' },
    'src/pages/overview/overview-page.tsx': { file: 'assets/overview.js', imports: ['_shared.js'] },
    'src/pages/team/team-page.tsx': { file: 'assets/team.js' },
    'src/texts/de.json': { file: 'assets/de.js' },
    'src/texts/gateway/de.json': { file: 'assets/de-gateway.js' },
    'src/texts/fr.json': { file: 'assets/fr.js' },
  };
  const all = ['start.js', 'main.js', 'shared.js', 'overview.js', 'main.css'];
  expect(programFiles(manifest)).toEqual({
    all: all.map((name) => `/app/assets/${name}`),
    de: ['/app/assets/de.js', '/app/assets/de-gateway.js'],
    fr: ['/app/assets/fr.js'],
  });
});

test('the same sources have the same fingerprint', () => {
  expect(fingerprint()).toMatch(/^[0-9a-f]{64}$/);
  expect(fingerprint()).toBe(fingerprint());
});

test('a newer build keeps the files that pages of the one before load, and no older ones', () => {
  const parent = mkdtempSync(join(tmpdir(), 'florin-builds-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [older, newer] = [join(parent, 'older'), join(parent, 'newer')];
  for (const directory of [older, newer]) mkdirSync(join(directory, 'assets'), { recursive: true });
  const manifest = {
    'src/main.tsx': { file: 'assets/main-1.js', css: ['assets/main-1.css'] },
    '_shared.js': { file: 'assets/shared.js' },
  };
  mkdirSync(join(older, '.vite'));
  writeFileSync(join(older, '.vite', 'manifest.json'), JSON.stringify(manifest));
  const signIn = { 'sign-in.html': { file: 'assets/sign-in-1.js', isEntry: true } };
  writeFileSync(join(older, '.vite', 'sign-in.json'), JSON.stringify(signIn));
  const names = [
    'main-1.js',
    'main-1.js.br',
    'main-1.js.gz',
    'main-1.css',
    'shared.js',
    'main-0.js',
    'sign-in-1.js',
  ];
  for (const name of names) writeFileSync(join(older, 'assets', name), 'older');
  for (const name of ['main-2.js', 'shared.js']) writeFileSync(join(newer, 'assets', name), 'newer');

  keepFiles(older, newer);
  const kept = [
    'main-1.css',
    'main-1.js',
    'main-1.js.br',
    'main-1.js.gz',
    'main-2.js',
    'shared.js',
    'sign-in-1.js',
  ];
  expect(readdirSync(join(newer, 'assets')).sort()).toEqual(kept);
  expect(readFileSync(join(newer, 'assets', 'shared.js'), 'utf8')).toBe('newer');
  keepFiles(join(parent, 'none'), newer);
});
