import { amountText } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import type { FeeTerms } from './queries.ts';

/** Basis points as percent: 125 is `1.25`. */
export function percentOf(bps: number): string {
  const digits = String(bps).padStart(3, '0');
  const fraction = digits.slice(-2).replace(/0+$/, '');
  return digits.slice(0, -2) + (fraction && `.${fraction}`);
}

/** A fee in few words: `1% + 0.50, at most 20.00`. */
export function feeText({ bps, fixed, floor, cap }: FeeTerms): string {
  const parts = [bps > 0 && `${percentOf(bps)}%`, fixed !== '0' && amountText(fixed)].filter(Boolean);
  const limits = [
    floor !== '0' && t('at least {floor}', { floor: amountText(floor) }),
    cap !== null && t('at most {cap}', { cap: amountText(cap) }),
  ].filter(Boolean);
  return [parts.join(' + ') || t('None'), ...limits].join(', ');
}
