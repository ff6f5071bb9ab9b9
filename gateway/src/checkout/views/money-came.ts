import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';

/** The sentence for a payment that has ended although money arrived for it. */
export function moneyCameLead({ t, view, amount }: PageContext): Sentence {
  const received = amount(view.amountReceived);
  if (view.reason === 'returned') return t('moneyReturnedLead', { received });
  return t('moneyArrivedLead', { received, merchant: view.integration.name });
}
