/** An asset code: a currency on one network, such as `usdt-bep20`, or a currency itself, such as `USDT`. */
export type AssetCode = string;

/** A double holds every decimal of up to 15 significant digits exactly; a longer one may have been rounded before. */
const maxDigits = 15;

export type AmountFault = 'not_positive' | 'too_many_decimals' | 'too_large';

/**
 * Units of a JSON number at `scale` decimals: those of the shortest decimal that is the same double, since some clients
 * send 0.1 as 0.10000000000000001. It is never rounded (contract.md#payments).
 */
export function unitsOfNumber(value: unknown, scale: number): bigint | AmountFault {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return 'not_positive';
  const [mantissa, exponent = '0'] = String(value).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  const digits = (whole + fraction).replace(/^0+/, '');
  // value = digits * 10^-decimals
  const decimals = fraction.length - Number.parseInt(exponent, 10);
  if (decimals > scale) return 'too_many_decimals';
  if (digits.length + Math.max(-decimals, 0) > maxDigits) return 'too_large';
  return BigInt(digits) * 10n ** BigInt(scale - decimals);
}

const decimalPattern = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Units of a plain decimal string at `scale` decimals; null when it is not one or has too many decimals. */
export function unitsOfDecimal(text: string, scale: number): bigint | null {
  const [, whole, decimals = ''] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const fraction = decimals.replace(/0+$/, '');
  if (fraction.length > scale) return null;
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** The plain decimal string of `units` at `scale` decimals, without trailing zeros: `1`, `0.5`, `-2.25`. */
export function decimalOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return sign + whole + (fraction ? `.${fraction}` : '');
}

/** The JSON number of `units`: the inverse of `unitsOfNumber` for every amount that it accepts. */
export function numberOf(units: bigint, scale: number): number {
  return Number(decimalOf(units, scale));
}

/** `units` at scale `from` as units at scale `to`, which must not be smaller. */
export function rescale(units: bigint, from: number, to: number): bigint {
  if (to < from) throw new Error(`Rescaling from ${from} to ${to} decimals would lose units`);
  return units * 10n ** BigInt(to - from);
}
