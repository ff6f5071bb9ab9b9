import type { Mutation } from '../mutation.ts';

const at = (path: string) => `gateway/src/payments/${path}`;
const quote = at('prices/quote.ts');
const priced = at('settlement/priced.test.ts');
const shortTest = at('settlement/short.test.ts');

/** What a price comes to, by which quote it is paid and refunded, and how much may be missing. */
export const prices: readonly Mutation[] = [
  {
    name: 'prices/adjustment',
    file: quote,
    find: 'BigInt(10_000 + terms.priceAdjustment)',
    replace: 'BigInt(10_000 - terms.priceAdjustment)',
    harm: 'A discount for paying in coins becomes a surcharge.',
  },
  {
    name: 'prices/minor-digits',
    file: quote,
    find: 'const one = 10_000n * ten(minorDigits(price.currency)) * rate;',
    replace: 'const one = 10_000n * ten(minorDigits(price.currency) > 0 ? 2 : 0) * rate;',
    harm: 'Dinars, which have three decimals, cost ten times as much.',
  },
  {
    name: 'prices/fee-payer',
    file: at('payment/amount.ts'),
    find: "if (feePayer !== 'customer') return { fee, due: amount };",
    replace: "if (feePayer === 'customer') return { fee, due: amount };",
    harm: 'The fee of a quote is paid by the wrong side.',
  },
  {
    name: 'prices/refund-rounded-up',
    file: quote,
    find: '(part.amount * 10n ** BigInt(rateScale + scale)) / (rate',
    replace:
      '(part.amount * 10n ** BigInt(rateScale + scale) + rate * 10n ** BigInt(minorDigits(part.currency)) - 1n) / (rate',
    harm: 'Parts of a price that are refunded one by one come to more than was paid.',
  },
  {
    name: 'prices/refund-in-its-coin',
    file: at('refunds/schema.ts'),
    find: 'if (asset.currency !== currency)\n',
    replace: 'if (currency === null)\n',
    harm: 'A coin that never paid the price is refunded at the rate of the one that did.',
    tests: [at('api/priced.test.ts')],
  },
  {
    name: 'prices/fee-in-words',
    file: at('payment/price.ts'),
    find: 'return { units: worthAt(fee, currencyScale[currency], rate, scale), scale };',
    replace: 'return { units: worthAt(fee, currencyScale[currency], rate, scale + 1) / 10n, scale };',
    harm: 'The fee that a merchant is told is rounded down.',
    tests: [at('prices/quote.test.ts')],
  },
  {
    name: 'prices/one-quote',
    file: at('settlement/choose-currency.ts'),
    find: 'quote.currency === currency);',
    replace: 'quote.currency === currency && quote.rate < 0n);',
    harm: 'Choosing again gives a customer whichever rate is better by now.',
    tests: [priced],
  },
  {
    name: 'prices/time-of-quotes',
    file: at('settlement/act.ts'),
    find: 'const isQuoted = before.price !== null && isCharged(before);',
    replace: 'const isQuoted = before.price !== null && !isCharged(before);',
    harm: 'A rate holds for twice its time.',
    tests: [priced],
  },
  {
    name: 'prices/address-before-the-choice',
    file: at('settlement/act.ts'),
    find: "return mode === 'live' ? choices !== null",
    replace: "return mode === 'live' ? choices === null",
    harm: 'What a customer chose has no address.',
    tests: [priced],
  },
  {
    name: 'prices/minimum',
    file: at('create/judge-prices.ts'),
    find: '{ priceAdjustment, decimals }) >= least,\n',
    replace: '{ priceAdjustment, decimals }) >= least || rated.length > 1,\n',
    harm: 'A price is paid in a coin whose network costs more than it.',
    tests: [at('create/priced.test.ts')],
  },
  {
    name: 'prices/thousandth',
    file: at('settlement/fix-currency.ts'),
    find: 'return isOfCurrency(assets, quote, transfer) && movesStatus(',
    replace: 'return isOfCurrency(assets, quote, transfer) || movesStatus(',
    harm: 'Dust takes a payment to a coin that its customer did not mean.',
    tests: [at('settlement/priced-money.test.ts')],
  },
  {
    name: 'short/rounded-up',
    file: at('payment/tolerance.ts'),
    find: 'const part = (due * hundredths) / 10_000n;',
    replace: 'const part = (due * hundredths + 9_999n) / 10_000n;',
    harm: 'More is missing than the merchant has allowed.',
  },
  {
    name: 'short/without-a-rate',
    file: at('payment/tolerance.ts'),
    find: 'if (percent === 0 || usd === null) return 0n;\n  const rate = rateUnits(usd) ?? 0n;',
    replace: "if (percent === 0) return 0n;\n  const rate = rateUnits(usd ?? '1') ?? 0n;",
    harm: 'What may be missing of a coin without a rate is anything.',
  },
  {
    name: 'short/at-the-deadline',
    file: at('settlement/decide.ts'),
    find: "const came = paid(facts, 'on chain', until);\n",
    replace: "const came = paid(facts, 'on chain', now > until ? now : until);\n",
    harm: 'Money that came after the deadline makes a part of the price the whole.',
    tests: [at('settlement/decide-short.test.ts')],
  },
  {
    name: 'short/enough-after-the-deadline',
    file: at('settlement/enough.ts'),
    find: 'if (now >= payment.deadline) return;\n',
    replace: '',
    harm: 'A customer who says that it is enough makes late money count as in time.',
    tests: [shortTest],
  },
  {
    name: 'short/told',
    file: at('payment/payment.ts'),
    find: '...(payment.shortUnits !== null && { shortAmount:',
    replace: '...(payment.shortUnits === 0n && { shortAmount:',
    harm: 'A merchant is not told that less came than is due.',
    tests: [shortTest],
  },
];
