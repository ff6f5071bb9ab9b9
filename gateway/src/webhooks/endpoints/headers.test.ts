import { describe, expect, test } from 'vitest';
import { createSeal } from '../../kit/seal.ts';
import { readEndpointBody } from '../api/console-schema.ts';
import { mergeHeaders, openHeaders, sealHeaders } from './headers.ts';

const read = (headers: unknown) =>
  readEndpointBody({ url: 'https://shop.example.com/', events: ['payment_failed'], headers }).headers ?? [];
const merged = (headers: unknown) => mergeHeaders(read(headers), []);

describe("an endpoint's own headers", () => {
  test('are tokens with a value of one line', () => {
    const headers = [
      { name: 'Authorization', value: 'Basic c2hvcDpvcGVu' },
      { name: 'x-tenant', value: 'corner shop, no. 7' },
    ];
    expect(merged(headers)).toEqual(headers);
  });

  test.each([
    'Host',
    'content-type',
    'Content-Length',
    'X-Signature',
    'x-event-id',
    'X-Sequence',
    'webhook-id',
    'Webhook-Whatever',
    'User-Agent',
    'Connection',
    'Transfer-Encoding',
    'TE',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
  ])('may not be %s', (name) => {
    expect(() => merged([{ name, value: 'x' }])).toThrow(`${name} is set by Florin itself`);
  });

  test.each(['a\r\nX-Evil: 1', 'a\nb', 'nul\0', 'é', ' padded', 'padded ', '', 'x'.repeat(1025)])(
    'refuse the value %j',
    (value) => {
      expect(() => merged([{ name: 'X-Token', value }])).toThrow(/^headers\.0\.value is invalid/);
    },
  );

  test.each(['', 'two words', 'colon:', 'new\nline', 'ümlaut', 'x'.repeat(65)])(
    'refuse the name %j',
    (name) => {
      expect(() => merged([{ name, value: 'x' }])).toThrow(/^headers\.0\.name is invalid/);
    },
  );

  test('are given once each, and are ten at most', () => {
    const twice = ['X-Token', 'x-token'].map((name) => ({ name, value: 'x' }));
    expect(() => merged(twice)).toThrow('x-token stands twice');
    const many = Array.from({ length: 11 }, (_, n) => ({ name: `X-${n}`, value: 'x' }));
    expect(() => merged(many)).toThrow(/^headers is invalid/);
  });

  test('keep the value they have when none is given, and need one when they are new', () => {
    const known = [{ name: 'X-Token', value: 'old' }];
    expect(mergeHeaders([{ name: 'x-token' }], known)).toEqual([{ name: 'x-token', value: 'old' }]);
    expect(() => mergeHeaders([{ name: 'X-Other' }], known)).toThrow(
      'headers.0.value is invalid: is required',
    );
  });

  test('are sealed, and opened again', () => {
    const seal = createSeal(Buffer.alloc(32, 3));
    const headers = [{ name: 'X-Token', value: 'a secret' }];
    const sealed = sealHeaders(seal, 'an endpoint', headers)!;
    expect(sealed.includes('a secret')).toBe(false);
    expect(openHeaders(seal, 'an endpoint', sealed)).toEqual(headers);
    expect(() => openHeaders(seal, 'another endpoint', sealed)).toThrow();
    expect(sealHeaders(seal, 'an endpoint', [])).toBeNull();
    expect(openHeaders(seal, 'an endpoint', null)).toEqual([]);
  });
});
