import type { FeeTerms } from './queries.ts';

/** The fee as a sentence: `1 % of the amount plus 0.2, at least 0.5 and at most 20`. */
export function feeWords({ bps, fixed = '0', floor = '0', cap }: FeeTerms): string {
  const share = `${bps / 100}% of the amount`;
  const plus = fixed === '0' ? '' : ` plus ${fixed}`;
  const least = floor === '0' ? '' : `, at least ${floor}`;
  const most = cap == null ? '' : `${least === '' ? ',' : ' and'} at most ${cap}`;
  return share + plus + least + most;
}
