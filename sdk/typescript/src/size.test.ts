import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';

const here = import.meta.dirname;
const sources = readdirSync(here).filter((name) => !name.endsWith('.test.ts'));

test('the whole package, bundled and minified, is below 8 KB of gzip, and imports nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-size-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const bundle = join(directory, 'sdk.js');
  const rolldown = join(here, '../../../node_modules/.bin/rolldown');
  const args = [join(here, 'index.ts'), '--format=esm', '--platform=neutral', '--minify', '-o', bundle];
  execFileSync(rolldown, args, { stdio: 'pipe' });
  const code = readFileSync(bundle);
  expect(gzipSync(code).length).toBeLessThan(8 * 1024);
  expect(code.toString()).not.toMatch(/^import\b|\bfrom\s*["']|\brequire\(|\bimport\(["']/m);
});

test('the package imports nothing but its own files', () => {
  const texts = sources.map((name) => readFileSync(join(here, name), 'utf8'));
  const imports = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]!));
  expect(imports.filter((specifier) => !specifier.startsWith('./'))).toEqual([]);
});
