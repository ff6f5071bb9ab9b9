import { describe, expect, test } from 'vitest';
import { buttonHtml, buttonLooks, buttonStyle, contrast } from './button-html.ts';

const link = { url: 'https://pay.example/l/ABC?a=1&b=2' };

describe.each(buttonLooks)('a button that is %s', (look) => {
  test.each(['#9a6b00', '#000000', '#ffffff', '#ffee00', '#777777', '#2244cc'])(
    'can be read in %s',
    (colour) => {
      const { color, background } = buttonStyle({ look, colour });
      expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('is one link with its coin, without a script, a style sheet or a picture from elsewhere', () => {
    const html = buttonHtml(link, { look, colour: '#9a6b00', words: 'Pay 25 USDC' });
    expect(html).toMatch(
      /^<a href="https:\/\/pay\.example\/l\/ABC\?a=1&amp;b=2" style="[^"]+"><svg .*<\/svg>Pay 25 USDC<\/a>$/,
    );
    expect(html).not.toMatch(/<script|<style|<img|\son\w+=|class=|\n/);
  });
});

test('what the merchant writes is text in it', () => {
  const html = buttonHtml(link, { look: 'filled', colour: '#9a6b00', words: '<b>"Tea" & more</b>' });
  expect(html).toContain('&lt;b&gt;&quot;Tea&quot; &amp; more&lt;/b&gt;');
});

test('a property of the style has its name of CSS', () => {
  const html = buttonHtml(link, { look: 'outlined', colour: '#9a6b00', words: 'Pay' });
  expect(html).toContain('align-items:center');
  expect(html).toContain('border:2px solid #9a6b00');
});
