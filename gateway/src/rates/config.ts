import { isCurrency } from '../money/assets.ts';
import { isRate } from '../money/rates.ts';
import { isSourceName } from './sources/known.ts';

/**
 * `table`: what coins are worth in USD, for the minimums alone. `sources`: names of built-in ones and addresses, in their
 * order. `demo`: the rates of demo networks, of which the operator may have set some.
 */
export type RatesConfig =
  | { kind: 'table' | 'demo'; usd: Record<string, string> }
  | { kind: 'sources'; sources: string[] };

/** Reads the setting `RATES`: pairs such as `PI=0.42`, or names and addresses of sources. */
export function readRatesSetting(text: string, fault: (why: string) => void): RatesConfig {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const [first = ''] = words;
  if (isAddress(first) || isSourceName(first)) return { kind: 'sources', sources: sourcesOf(text, fault) };
  const usd: Record<string, string> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const [currency = '', rate = '', ...rest] = pair.split('=').map((part) => part.trim());
    if (!isCurrency(currency) || !isRate(rate) || rest.length > 0) {
      fault(`has ${JSON.stringify(pair)} where a pair such as PI=0.42 belongs`);
    }
    usd[currency] = rate;
  }
  return { kind: 'table', usd };
}

const isAddress = (word: string): boolean => /^https?:/.test(word);

function sourcesOf(text: string, fault: (why: string) => void): string[] {
  // An address may hold commas, so that white space parts it from the next.
  const words = text.split(/\s+/).map((word) => word.replace(/,$/, ''));
  const sources = words
    .flatMap((word) => (isAddress(word) ? [word] : word.split(',')))
    .filter((word) => word !== '');
  if (sources.some((word) => isAddress(word) && !URL.canParse(word))) {
    fault('holds an address that is not valid');
  }
  const unknown = sources.find((word) => !isAddress(word) && !isSourceName(word));
  if (unknown !== undefined)
    fault(`has ${JSON.stringify(unknown)} where the name of a source or an address belongs`);
  const twice = sources.find((word, index) => sources.indexOf(word) < index);
  if (twice !== undefined) fault('names a source twice: it would agree with itself');
  return sources;
}
