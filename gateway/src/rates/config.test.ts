import { describe, expect, test } from 'vitest';
import { readRatesSetting } from './config.ts';

function read(text: string) {
  const faults: string[] = [];
  const config = readRatesSetting(text, (why) => faults.push(why));
  return { config, faults };
}

describe('RATES', () => {
  test('is a table', () => {
    const usd = { PI: '0.42', CSK: '1.1', USDC: '0.9998' };
    expect(read('PI=0.42, CSK = 1.1,USDC=0.9998')).toEqual({ config: { kind: 'table', usd }, faults: [] });
    expect(read('').config).toEqual({ kind: 'table', usd: {} });
  });

  test.each([
    [
      'https://rates.example/usd  http://127.0.0.1:9000/rates',
      ['https://rates.example/usd', 'http://127.0.0.1:9000/rates'],
    ],
    ['coinbase kraken ecb', ['coinbase', 'kraken', 'ecb']],
    ['bitstamp, coingecko,ecb', ['bitstamp', 'coingecko', 'ecb']],
    ['ecb https://a.example/?of=PI,CSK kraken', ['ecb', 'https://a.example/?of=PI,CSK', 'kraken']],
    ['https://a.example, coinbase', ['https://a.example', 'coinbase']],
  ])('or names of public sources and addresses: %s', (text, sources) => {
    expect(read(text)).toEqual({ config: { kind: 'sources', sources }, faults: [] });
  });

  test.each([
    'PI=0',
    'PI=-1',
    'PI=1e3',
    'PI=.5',
    'PI',
    'PI=',
    'pi=1',
    'PI=1=2',
    'PI=1,',
    'PI=0.1234567890123',
    'binance',
  ])('that says %s is refused', (text) => {
    expect(read(text).faults).toEqual([expect.stringMatching(/^has ".*" where a pair/)]);
  });

  const noSource = 'where the name of a source or an address belongs';
  test.each([
    ['coinbase binance', `has "binance" ${noSource}`],
    ['coinbase PI=1', `has "PI=1" ${noSource}`],
    ['https://a.example PI=1', `has "PI=1" ${noSource}`],
    ['https://a.example mailto:b@c.example', `has "mailto:b@c.example" ${noSource}`],
    ['kraken ecb kraken', 'names a source twice: it would agree with itself'],
    ['https://', 'holds an address that is not valid'],
    ['kraken http://:80', 'holds an address that is not valid'],
  ])('that names %s is refused', (text, fault) => {
    expect(read(text).faults).toEqual([fault]);
  });
});
