import { t } from '../../texts/t.ts';
import type { FeeTerms } from './queries.ts';

/** The fee as a sentence: `1 % of the amount plus 0.2, at least 0.5 and at most 20`. */
export function feeWords({ bps, fixed = '0', floor = '0', cap }: FeeTerms): string {
  const share = t('{bps}% of the amount', { bps: bps / 100 });
  const plus = fixed === '0' ? '' : ` ${t('plus {fixed}', { fixed })}`;
  const least = floor === '0' ? '' : t(', at least {floor}', { floor });
  const most =
    cap == null ? '' : least === '' ? t(', at most {cap}', { cap }) : ` ${t('and at most {cap}', { cap })}`;
  return share + plus + least + most;
}
