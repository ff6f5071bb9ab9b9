import { isPriceCurrency, minorDigits } from '../money/price-currencies.ts';

/** Formats amounts and times for one language. */
export type Format = {
  /**
   * A decimal string: `1,234.50`, with at least two decimals, or as many as `currency` has minor digits. Exact: it never
   * passes through a float.
   */
  number: (decimal: string, currency?: string) => string;
  /** The same with its currency: `1,234.50 USDC`. */
  amount: (decimal: string, currency: string) => string;
  /** A rate, to six digits that count: `0.937577`. */
  rate: (decimal: string) => string;
  /** Basis points as a percentage: `2%`, `0.25%`. */
  percent: (basisPoints: number) => string;
  /** Date and time in UTC, with the name of the zone; only the time when it is on the same day as `now`. */
  time: (date: Date, now?: Date) => string;
  /** About how long something takes: `20 sec`, `13 min`. */
  duration: (seconds: number) => string;
};

const TIME = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const;

/** The shortest duration that is shown: a transfer also has to be sent and found on its network. */
const SHORTEST_SECONDS = 3;

const formats = new Map<string, Format>();

/** The formats of a language; built once each, because Intl's constructors are slow. */
export function formatOf(locale: string): Format {
  const known = formats.get(locale);
  if (known) return known;
  const format = makeFormat(locale);
  formats.set(locale, format);
  return format;
}

/** Whether a decimal string is zero, however many zeros it is written with. */
export function isZero(decimal: string): boolean {
  return /^0*(\.0*)?$/.test(decimal);
}

/** An address as people read it. */
export function shownUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

function sameDay(one: Date, other: Date): boolean {
  return one.toISOString().slice(0, 10) === other.toISOString().slice(0, 10);
}

function makeFormat(locale: string): Format {
  // Latin digits in every language: an amount is compared with what a wallet shows.
  const tag = `${locale}-u-nu-latn`;
  const numbers = [0, 1, 2, 3].map(
    (digits) => new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: 20 }),
  );
  const rates = new Intl.NumberFormat(tag, { maximumSignificantDigits: 6 });
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 });
  const times = new Intl.DateTimeFormat(tag, TIME);
  const dates = new Intl.DateTimeFormat(tag, { ...TIME, year: 'numeric', month: 'short', day: 'numeric' });
  const unit = (name: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short' });
  const [seconds, minutes, hours] = [unit('second'), unit('minute'), unit('hour')];
  const number = (decimal: string, currency?: string) => {
    const digits = isPriceCurrency(currency) ? minorDigits(currency) : 2;
    return numbers[digits]?.format(decimal as Intl.StringNumericLiteral) ?? decimal;
  };
  return {
    number,
    amount: (decimal, currency) => `${number(decimal, currency)}\u00a0${currency}`,
    percent: (basisPoints) => percents.format(basisPoints / 10_000),
    rate: (decimal) => rates.format(decimal as Intl.StringNumericLiteral),
    time: (date, now) => (now && sameDay(date, now) ? times : dates).format(date),
    duration: (length) => {
      if (length <= 10) return seconds.format(Math.max(SHORTEST_SECONDS, Math.ceil(length)));
      if (length <= 60) return seconds.format(Math.ceil(length / 10) * 10);
      const inMinutes = Math.ceil(length / 60);
      return inMinutes <= 90 ? minutes.format(inMinutes) : hours.format(Math.ceil(inMinutes / 60));
    },
  };
}
