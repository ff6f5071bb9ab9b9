import type { Html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import type { Sentence } from '../messages/translate.ts';
import { writeToShopPart } from '../parts/details.ts';

/** How to write to the shop, when it decides about what arrived. */
export function moneyCamePart(context: PageContext): Html | null {
  const { t, view } = context;
  if (isZero(view.amountReceived) || view.reason === 'returned' || view.isDust) return null;
  return writeToShopPart(context, t('writeToShop', { merchant: view.integration.name }), 'ended-reference');
}

/** The sentence for a payment that has ended although something arrived for it. */
export function moneyCameLead({ t, view, amount }: PageContext): Sentence {
  const received = amount(view.amountReceived);
  if (view.reason === 'returned') return t('moneyReturnedLead', { received });
  if (view.isDust) return t('dustLead', { received });
  return t('moneyArrivedLead', { received, merchant: view.integration.name });
}
