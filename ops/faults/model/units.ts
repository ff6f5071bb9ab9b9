/** All amounts of the model are whole numbers of this many decimals: no asset has more. */
const fineScale = 18;

/** A decimal, as text or as a JSON number, in units of 18 decimals. Throws where it is none. */
export function fineOf(decimal: string | number): bigint {
  const text = typeof decimal === 'number' ? plainOf(decimal) : decimal;
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`${text} is no decimal`);
  const units = BigInt(whole + part.padEnd(fineScale, '0'));
  return sign === '-' ? -units : units;
}

/** The shortest decimal of these units. */
export function decimalOf(fine: bigint): string {
  const digits = `${fine < 0n ? -fine : fine}`.padStart(fineScale + 1, '0');
  const part = digits.slice(-fineScale).replace(/0+$/, '');
  const whole = digits.slice(0, -fineScale);
  return `${fine < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}

/** What whole units of an asset with so many decimals are. */
export function fineOfUnits(units: bigint, scale: number): bigint {
  return units * 10n ** BigInt(fineScale - scale);
}

/** The same in whole units of an asset with so many decimals; what is smaller is cut off. */
export function unitsOfFine(fine: bigint, scale: number): bigint {
  return fine / 10n ** BigInt(fineScale - scale);
}

/** `fine` times `basisPoints` / 10000, rounded half up at `scale` decimals. */
export function shareOf(fine: bigint, basisPoints: bigint, scale: number): bigint {
  const unit = 10n ** BigInt(fineScale - scale);
  const whole = 10_000n * unit;
  return ((fine * basisPoints + whole / 2n) / whole) * unit;
}

/** JSON numbers of amounts have 15 digits at most: more than `toFixed` shows of a large one is not there. */
function plainOf(value: number): string {
  return /e/.test(`${value}`) ? value.toFixed(fineScale).replace(/0+$/, '').replace(/\.$/, '') : `${value}`;
}
