import type { UseQueryResult } from '@tanstack/react-query';
import type { LinkData } from '../../../../../gateway/src/payments/api/link-answers.ts';
import { type Page, useList } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { amountText } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';

export type { LinkData };

export function usePaymentLinks(cursor: string | undefined): UseQueryResult<Page<LinkData>> {
  return useList<LinkData>(useScope().path('/payment-links'), { cursor });
}

/** What a customer of the link pays: `25 USDC`, `5 to 50 USDC`, `Any amount of USDC`. */
export function amountWords({ amount, min_amount: min, max_amount: max, currency }: LinkData): string {
  if (amount !== null) return `${amountText(amount, currency)} ${currency}`;
  if (min !== null && max !== null)
    return t('{min} to {max} {currency}', {
      min: amountText(min, currency),
      max: amountText(max, currency),
      currency,
    });
  if (min !== null) return t('From {min} {currency}', { min: amountText(min, currency), currency });
  return max === null
    ? t('Any amount of {currency}', { currency })
    : t('Up to {max} {currency}', { max: amountText(max, currency), currency });
}

/** Which coin pays the price of a link; null where there is no price. */
export function paidInWords({ currency, paid_currency: paid, currencies }: LinkData): string | null {
  if (paid === currency) return null;
  if (paid !== null) return paid;
  return currencies === null
    ? t('The customer chooses')
    : t('The customer chooses from {currencies}', { currencies: currencies.join(', ') });
}
