import { decimalOf } from '../../money/money.ts';
import { over, unitsOfRate } from '../../money/rate-units.ts';
import { rateScale } from '../../money/rates.ts';
import type { RateSource } from './source.ts';

const hourSeconds = 3600;
/** The reference rates of a day come out at about 16:00 in Frankfurt. */
const published = 'T15:00:00Z';

/**
 * The euro reference rates of the European Central Bank, one file for each of its working days:
 * `<Cube time='2026-11-27'><Cube currency='USD' rate='1.0876'/>...`. They are turned into rates of USD.
 */
export function ecb(origin: string): RateSource {
  return {
    name: 'ecb',
    quotesCoins: false,
    everySeconds: hourSeconds,
    async ask(get) {
      const text = await get(`${origin}/stats/eurofxref/eurofxref-daily.xml`);
      const [, day = ''] = /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']/.exec(text) ?? [];
      const at = new Date(`${day}${published}`);
      if (Number.isNaN(at.getTime())) throw new Error('answered without a day');
      const perEuro = new Map(
        [...text.matchAll(/<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([^"'<>]{1,40})["']/g)].map(
          ([, code = '', rate = '']) => [code, rate] as const,
        ),
      );
      const dollars = unitsOfRate(perEuro.get('USD') ?? '');
      if (dollars === null) throw new Error('answered without a rate of USD');
      perEuro.delete('USD');
      return [...perEuro, ['EUR', '1'] as const].map(([priceCurrency, rate]) => {
        const units = unitsOfRate(rate);
        // What is no rate is handed on as it stood there, and refused with the others.
        const value = units === null ? rate : decimalOf(over(units, dollars), rateScale);
        return { currency: 'USD', priceCurrency, value, at };
      });
    },
  };
}
