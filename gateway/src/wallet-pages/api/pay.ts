import type { CheckoutPayment } from '../../checkout/checkout-payment.ts';
import { findForPage, type PageDeps } from '../../checkout/find-payment.ts';
import { newState } from '../../checkout/views/layout.ts';
import { transaction } from '../../kit/db/db.ts';
import { dryRun } from '../../kit/db/dry-run.ts';
import { kitErrors, Refusal, refuse } from '../../kit/errors.ts';
import { unmasked } from '../../kit/masked.ts';
import { sameOriginPath } from '../../kit/net/same-origin-path.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { walletErrors } from '../../wallets/errors.ts';
import { payInWallet } from '../../wallets/pay.ts';
import { secondFactorShown } from '../../wallets/second-factor.ts';
import type { View } from '../context.ts';
import { Fault, faultOf } from '../notices.ts';
import { type PayFacts, payView } from '../views/pay.ts';
import type { Frame, OwnExchange } from './frame.ts';
import { factorFault } from './moving.ts';
import { shownBy } from './prove.ts';
import type { EntranceDeps } from './sign-in.ts';

export type PayDeps = EntranceDeps & StateDeps & PageDeps & { baseUrl: string; payUrl: string };

/** Paying a merchant's payment by one press, for users who are signed in. */
export function payForms(frame: Frame, deps: PayDeps): void {
  const { db, guards, baseUrl, payUrl } = deps;
  const hostedPage = sameOriginPath(baseUrl, payUrl);

  /** The payment that the address or the form names by its three values, and the exchange in its mode. */
  async function paymentIn<E extends OwnExchange>(
    exchange: E,
  ): Promise<{ payment: CheckoutPayment; own: E }> {
    const { request, field, context } = exchange;
    await guards.probe.check(request);
    const read = (name: string): string => field(name) ?? '';
    const key = { reference: read('reference'), app: read('app'), token: unmasked(read('token')) };
    const payment = await findForPage(db, deps, key);
    if (!payment) {
      await guards.probe.count(request);
      throw refuse(kitErrors.not_found);
    }
    return { payment, own: { ...exchange, context: { ...context, mode: payment.mode } } };
  }

  function pageOf({ context: { locale, isChosen } }: OwnExchange, payment: CheckoutPayment): string {
    const { reference, token, integration } = payment;
    const query = { reference, app: integration.id, token, ...(isChosen ? { lang: locale } : {}) };
    return `${hostedPage}?${new URLSearchParams(query)}`;
  }

  /** Why paying would be refused, as far as that is known before; null: it would not. */
  async function faultBefore({ session }: OwnExchange, payment: CheckoutPayment): Promise<Refusal | null> {
    const proof = session.factorAt && secondFactorShown(session.user.id, session.factorAt);
    return await dryRun(db, (tx) =>
      payInWallet(tx, deps, payment.id, { userId: session.user.id, proof }),
    ).then(
      () => null,
      (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)),
    );
  }

  async function show(exchange: OwnExchange): Promise<View> {
    const { payment, own } = await paymentIn(exchange);
    const { mode, id } = { mode: payment.mode, id: own.session.user.id };
    const isOpen = payment.status === 'unlinked' || payment.status === 'linked';
    const refusal = isOpen ? await faultBefore(own, payment) : null;
    const asksFactor = refusal?.row === walletErrors.second_factor_required;
    const needsCode = asksFactor && own.session.user.hasFactor;
    const facts: PayFacts = {
      payment,
      balances: await balancesOf(db, { kind: 'user', owner: id, mode }),
      url: pageOf(own, payment),
      isPayable: isOpen && (refusal === null || needsCode),
      needsCode,
    };
    const view = payView(own.context, facts);
    if (refusal === null || needsCode) return view;
    return { ...view, fault: asksFactor ? factorFault(own) : faultOf(refusal) };
  }

  frame.ownPage('pay', show);
  frame.ownForm(
    'pay',
    async (exchange) => {
      const { payment, own } = await paymentIn(exchange);
      const { user } = own.session;
      const proof = await shownBy(deps, own);
      await transaction(db, (tx) => payInWallet(tx, deps, payment.id, { userId: user.id, proof })).catch(
        (error: unknown) => {
          const asksFactor = error instanceof Refusal && error.row === walletErrors.second_factor_required;
          throw asksFactor ? new Fault(factorFault(own), 403) : error;
        },
      );
      // A form may not lead to another origin.
      if (hostedPage.startsWith('/')) return { away: `${pageOf(own, payment)}#${newState}` };
      const { reference, token, integration } = payment;
      return { to: 'pay', query: { reference, token, app: integration.id } };
    },
    show,
  );
}
