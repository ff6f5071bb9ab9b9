/** `one - other` of two decimal strings, exactly; without trailing zeros. */
export function minus(one: string, other: string): string {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  return textOf(unitsOf(one, scale) - unitsOf(other, scale), scale);
}

/** `one + other` of two decimal strings, exactly; without trailing zeros. */
export function plus(one: string, other: string): string {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  return textOf(unitsOf(one, scale) + unitsOf(other, scale), scale);
}

/** `one / other` of two decimal strings, where `other` is more than 0: rounded down at `scale` decimals. */
export function quotient(one: string, other: string, scale: number): string {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  return textOf((unitsOf(one, decimals) * 10n ** BigInt(scale)) / unitsOf(other, decimals), scale);
}

/** True for a decimal string that is not zero. */
export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** How many digits stand after the point. */
export function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function unitsOf(amount: string, scale: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function textOf(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
