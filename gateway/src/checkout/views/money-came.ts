import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';

/** The sentence for a payment that has ended although something arrived for it. */
export function moneyCameLead({ t, view, amount }: PageContext): Sentence {
  const received = amount(view.amountReceived);
  if (view.reason === 'returned') return t('moneyReturnedLead', { received });
  if (view.isDust) return t('dustLead', { received });
  return t('moneyArrivedLead', { received, merchant: view.integration.name });
}
