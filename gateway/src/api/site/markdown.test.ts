import { expect, test } from 'vitest';
import { renderPage } from './markdown.ts';

const page = { file: 'sdk/README.md', address: '/docs/sdk', title: 'SDKs', purpose: '' };

test('samples of a document that follow each other in several languages are tabs', async () => {
  const { markup } = await renderPage(page, [page]);
  const [first = ''] = markup.match(/<div class="samples">[\s\S]*?<\/fieldset>/) ?? [];
  const names = [...first.matchAll(/value="(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['TypeScript', 'Python', 'PHP', 'Go']);
  expect(first.match(/checked/g)).toHaveLength(1);
  expect(markup.match(/data-sample="Go"/g)?.length).toBe(markup.match(/class="samples"/g)?.length);
});

test('a document without such samples has no tabs', async () => {
  const contributing = {
    file: 'CONTRIBUTING.md',
    address: '/docs/contributing',
    title: 'Contributing',
    purpose: '',
  };
  const { markup } = await renderPage(contributing, [contributing]);
  expect(markup).not.toContain('class="samples"');
  expect(markup).toContain('<pre');
});
