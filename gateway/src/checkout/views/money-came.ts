import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';

/** What to say where a payment ended although money arrived for it. */
export function moneyCameLead({ t, view, amount }: PageContext): Sentence {
  const received = amount(view.amountReceived);
  if (view.reason === 'returned') return t('moneyReturnedLead', { received });
  return t('moneyArrivedLead', { received, merchant: view.integration.name });
}
