import { amountText } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import type { FeeTerms } from './queries.ts';

/** The fee as a sentence: `1 % of the amount plus 0.20, at least 0.50 and at most 20.00`. */
export function feeWords({ bps, fixed = '0', floor = '0', cap }: FeeTerms): string {
  const share = t('{bps}% of the amount', { bps: bps / 100 });
  const plus = fixed === '0' ? '' : ` ${t('plus {fixed}', { fixed: amountText(fixed) })}`;
  const least = floor === '0' ? '' : t(', at least {floor}', { floor: amountText(floor) });
  const most =
    cap == null
      ? ''
      : least === ''
        ? t(', at most {cap}', { cap: amountText(cap) })
        : ` ${t('and at most {cap}', { cap: amountText(cap) })}`;
  return share + plus + least + most;
}
