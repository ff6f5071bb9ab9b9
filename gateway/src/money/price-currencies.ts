declare const brand: unique symbol;

/** The ISO 4217 code of a currency that prices may be in, such as `EUR`. */
export type PriceCurrency = string & { readonly [brand]: true };

/** The codes in use, without metals, funds and units of account, by their minor digits (ISO 4217). */
const codesByDigits: readonly [digits: number, codes: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
];

const digitsOf = new Map(
  codesByDigits.flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const)),
);

/** Every price currency, by code. */
export const priceCurrencies = [...digitsOf.keys()].sort() as PriceCurrency[];

export function isPriceCurrency(value: unknown): value is PriceCurrency {
  return typeof value === 'string' && digitsOf.has(value);
}

/** The decimals of an amount in a price currency: EUR 2, JPY 0, KWD 3. */
export function minorDigits(code: PriceCurrency): number {
  const digits = digitsOf.get(code);
  if (digits === undefined) throw new Error(`${code} is no price currency`);
  return digits;
}

/** All rates of a currency without a market of its own for a pair go through it. */
export const usDollar = 'USD' as PriceCurrency;
