import { describe, expect, test } from 'vitest';
import { directionOf, html, safeUrl, trusted } from './html.ts';

describe('the template', () => {
  test('escapes text in content and in attributes', () => {
    const text = `<b title="x">'&'</b>`;
    expect(html`<p title="${text}">${text}</p>`.markup).toBe(
      '<p title="&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;">&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;</p>',
    );
  });

  test('keeps markup, joins lists and leaves absent values out', () => {
    const items = ['a', html`<i>b</i>`, null, undefined, false as const, [3, trusted('<hr>')]];
    expect(html`<p>${items}</p>`.markup).toBe('<p>a<i>b</i>3<hr></p>');
  });
});

describe('a link', () => {
  test.each(['https://shop.example/a?b=1', 'http://127.0.0.1:4100/'])('may lead to %s', (address) => {
    expect(safeUrl(address)?.href).toBe(address);
  });

  test.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '/relative', '', null])(
    'never leads to %s',
    (address) => {
      expect(safeUrl(address)).toBeNull();
    },
  );
});

test('Arabic, Hebrew, Persian and Urdu are written from right to left', () => {
  expect(['ar', 'he', 'fa', 'ur'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  expect(['en', 'vi', 'kk'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr']);
});
