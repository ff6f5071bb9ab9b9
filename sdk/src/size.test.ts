import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const sources = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
const texts = sources.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));

test('the whole package is below 8 KB of gzip', () => {
  // As it is published: the doc comments go into the declarations.
  const stripped = texts.map((text) => stripTypeScriptTypes(text.replace(/\/\*\*.*?\*\//gs, ''))).join('\n');
  expect(gzipSync(stripped).length).toBeLessThan(8 * 1024);
});

test('the package imports nothing but its own files', () => {
  const imports = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1]!));
  expect(imports.filter((specifier) => !specifier.startsWith('./'))).toEqual([]);
});
