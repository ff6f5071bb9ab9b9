import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import type { Snippet } from './check.ts';
import { fixIn } from './fixes.ts';
import { languages } from './receiver.ts';

const snippets: Snippet[] = ['verify', 'raw-body', 'store-once', 'answer-first', 'ignore-unknown'];

test.each(snippets)('there is code for “%s” in every language', (snippet) => {
  const texts = languages.map((language) => fixIn(snippet, language));
  expect(new Set(texts).size).toBe(languages.length);
  expect(texts.every((text) => text.length > 40)).toBe(true);
});

test.each(snippets)('“%s” in Node parses', (snippet) => {
  expect(() => stripTypeScriptTypes(fixIn(snippet, 'js'))).not.toThrow();
});
