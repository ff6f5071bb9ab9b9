import { bitstamp } from './bitstamp.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { ecb } from './ecb.ts';
import { kraken } from './kraken.ts';
import { ownUrl } from './own-url.ts';
import type { RateSource } from './source.ts';

/** The public sources that the setting RATES may name; none is asked unless it does. */
const known = {
  coinbase: { open: coinbase, origin: 'https://api.coinbase.com' },
  kraken: { open: kraken, origin: 'https://api.kraken.com' },
  bitstamp: { open: bitstamp, origin: 'https://www.bitstamp.net' },
  coingecko: { open: coingecko, origin: 'https://api.coingecko.com' },
  ecb: { open: ecb, origin: 'https://www.ecb.europa.eu' },
};

export const sourceNames = Object.keys(known);

export function isSourceName(word: string): word is keyof typeof known {
  return Object.hasOwn(known, word);
}

/** The sources of that setting. An address is named by its host, since its path may hold a key. */
export function openSources(words: readonly string[]): RateSource[] {
  const hosts = new Map<string, number>();
  return words.map((word) => {
    if (isSourceName(word)) return known[word].open(known[word].origin);
    const { host } = new URL(word);
    const count = (hosts.get(host) ?? 0) + 1;
    hosts.set(host, count);
    return ownUrl(word, count === 1 ? host : `${host} (${count})`);
  });
}

/** Where a source of that setting is asked. */
export function originOf(word: string): string {
  return isSourceName(word) ? known[word].origin : new URL(word).origin;
}
