import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { languages, receiverIn } from './receiver.ts';

const url = 'https://shop.example.com/hooks/florin?from=here';

test.each(languages)(
  'the receiver in %s verifies as the documentation does, at the path of the endpoint',
  (language) => {
    const text = receiverIn(language, url);
    expect(text).toMatch(/is_?genuine/i);
    expect(text).toContain('/hooks/florin');
    expect(text).not.toContain('from=here');
    expect(text.match(/whsec_/g)).toHaveLength(1);
  },
);

test('the receiver in Node parses', () => {
  expect(() => stripTypeScriptTypes(receiverIn('js', url))).not.toThrow();
});
