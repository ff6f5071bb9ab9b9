import { decimalOf } from '../../../money/money.ts';

const weiScale = 18;
const shownDecimals = 6;

/** Coins with as many decimals as people read; a small amount is never shown as 0. */
export function coins(wei: bigint): string {
  const [whole, fraction = ''] = decimalOf(wei, weiScale).split('.') as [string, string?];
  const shown = fraction.slice(0, shownDecimals).replace(/0+$/, '');
  if (whole === '0' && shown === '')
    return wei === 0n ? '0' : `less than 0.${'0'.repeat(shownDecimals - 1)}1`;
  return shown ? `${whole}.${shown}` : whole;
}
