import type { Mutation } from '../mutation.ts';

const values = 'gateway/src/wallets/books/values.ts';
const tests = ['gateway/src/wallets/books/books.test.ts'];

/** What lines of the business balance are worth. */
export const books: readonly Mutation[] = [
  {
    name: 'books/rate-of-the-quote',
    file: values,
    find: 'quote?.priceCurrency === priceCurrency ? quote.rate : rate;',
    replace: 'quote?.priceCurrency === priceCurrency ? rate : rate;',
    harm: 'A sale is worth something else in the books than what its customer was quoted.',
    tests,
  },
  {
    name: 'books/quote-in-another-currency',
    file: values,
    find: 'quote?.priceCurrency === priceCurrency ? quote.rate : rate;',
    replace: 'quote === undefined ? rate : quote.rate;',
    harm: 'Euros are written into books that are kept in yen.',
    tests,
  },
  {
    name: 'books/of-its-coin',
    file: values,
    find: 'quote: quote?.currency === currency ? quote : undefined',
    replace: 'quote',
    harm: 'A coin that came by mistake is worth the rate of another one.',
    tests,
  },
  {
    name: 'books/moment-of-the-quote',
    file: values,
    find: 'at: quote?.at ?? row.created_at',
    replace: 'at: row.created_at',
    harm: 'A sale that was quoted before the books changed their currency is written in the new one.',
    tests,
  },
  {
    name: 'books/gross',
    file: values,
    find: 'gross: decimal(ofNet + ofFee)',
    replace: 'gross: decimal(ofNet)',
    harm: 'The fee is missing in what was sold.',
    tests,
  },
  {
    name: 'books/less-than-nothing',
    file: 'gateway/src/money/rate-units.ts',
    find: 'return units < 0n ? -worth : worth;',
    replace: 'return worth;',
    harm: 'What was refunded counts as a sale.',
    tests,
  },
];
