import type { Database } from '../../kit/db/db.ts';
import { isPriceCurrency } from '../../money/price-currencies.ts';
import { setValueCurrency } from '../../wallets/accounts/changes.ts';
import { Fault } from '../notices.ts';
import { currencyView } from '../views/currency.ts';
import type { Frame } from './frame.ts';

/** In which currency a user sees what their coins are worth. */
export function currencyForm(frame: Frame, { db }: { db: Database }): void {
  frame.ownPage('currency', async ({ context }) => currencyView(context));
  frame.ownForm(
    'currency',
    async ({ session, field }) => {
      const wanted = field('currency') || null;
      if (wanted !== null && !isPriceCurrency(wanted)) throw new Fault('faultOther', 400);
      await setValueCurrency(db, session.user.id, wanted);
      return { to: '' };
    },
    ({ context }) => currencyView(context),
  );
}
