import type { FastifyReply, FastifyRequest } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import type { PageHosts } from '../../identity/integrations/page-hosts.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { maxMessageLength, writeAsCustomer } from '../../payments/appeals/messages.ts';
import { noteReceipt } from '../../payments/receipts/receipt-mails.ts';
import { cancelPayment, disputePayment, linkPayment } from '../../payments/settlement/act.ts';
import { acceptShort } from '../../payments/settlement/enough.ts';
import { readWishFields } from '../../payments/simulate/schema.ts';
import { simulate } from '../../payments/simulate/simulate.ts';
import type { Faucet } from '../../rails/evm/config/chains.ts';
import type { LookUpTransaction } from '../../rails/look-up.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageDeps } from '../find-payment.ts';
import { isFramed } from '../headers.ts';
import { type Locale, pickLocale } from '../locale.ts';
import { wishFields } from '../mix-choice.ts';
import type { NoticeSlug } from '../notices.ts';
import type { FormAction } from '../sections.ts';
import { claimTransaction } from './claim.ts';
import { giveCoins } from './faucet.ts';
import { type Fields, text } from './form-fields.ts';
import { sendReceipt } from './receipt.ts';
import type { RefundClaimDeps } from './refund.ts';
import { createWalletForm, type WalletFormDeps } from './wallet-form.ts';

export type ActionDeps = RefundClaimDeps &
  PageDeps &
  WalletFormDeps & {
    lookUp: LookUpTransaction;
    hosts: PageHosts;
    /** Set when a demo chain runs. */
    faucet?: Faucet | undefined;
  };

/** Handles one form of the page and returns the notice that the page shows afterwards. */
type Action = (
  payment: CheckoutPayment,
  fields: Fields,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<NoticeSlug | undefined>;

/** What the forms of the page do, by their names. The one of refunds answers with a page (`takeClaim`). */
export function actionsOf(deps: ActionDeps): Record<Exclude<FormAction, 'refund'>, Action> {
  const { db, guards, hosts } = deps;
  const payFromWallet = createWalletForm(deps);
  const done = (work: (tx: Tx) => Promise<unknown>) => transaction(db, work).then(() => undefined);
  return {
    method: async ({ id, methods, unreadable }, fields, request) => {
      const choice = text(fields.asset) ?? '';
      if (unreadable.includes(deps.assets.find(choice)?.code ?? '')) return 'network_unreadable';
      if (choice === 'wallet' && !methods.some(({ method }) => method === choice)) return 'not_possible';
      await transaction(db, async (tx) => {
        await linkPayment(tx, deps, id, { method: choice, currency: text(fields.currency) });
        if (deps.mailsReceipts) await noteReceipt(tx, id, localeOf(fields, request));
      });
      return undefined;
    },
    wallet: async ({ id }, fields, request, reply) => {
      // A site that frames the page could have the browser fill in the password, and lead the click.
      // Nor does anybody type it at a name that the installation does not hold.
      if (isFramed(request) || hosts.of(request)) throw refuse(kitErrors.foreign_form);
      const form = { username: text(fields.username) ?? '', password: text(fields.password) ?? '' };
      return await payFromWallet(id, form, request, reply);
    },
    claim: (payment, fields, request) =>
      claimTransaction(deps, payment, text(fields.transaction)?.trim() ?? '', request),
    cancel: ({ id }) => done((tx) => cancelPayment(tx, deps, id, 'customer')),
    enough: ({ id }) => done((tx) => acceptShort(tx, deps, id)),
    simulate: async ({ id, mode }, fields) => {
      if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
      const wish = readWishFields(wishFields(fields));
      return await done((tx) => simulate(tx, deps, id, wish));
    },
    receipt: (payment, fields, request) => {
      const to = { email: text(fields.email)?.trim() ?? '', locale: localeOf(fields, request) };
      return sendReceipt(deps, payment, to, request);
    },
    faucet: (payment, { address }, request) => giveCoins(deps, payment, text(address) ?? '', request),
    dispute: async ({ id }, fields) => {
      const reason = text(fields.reason)?.trim().slice(0, 1000) ?? '';
      if (reason === '') return 'not_possible';
      await transaction(db, (tx) => disputePayment(tx, deps, id, reason));
      return 'dispute_opened';
    },
    message: async ({ id }, fields, request) => {
      const message = text(fields.text)?.trim().slice(0, maxMessageLength) ?? '';
      if (message === '') return 'not_possible';
      await guards.message(request, id);
      await transaction(db, (tx) => writeAsCustomer(tx, deps, id, message));
      return 'message_sent';
    },
  };
}

/** The language in which a form's page was shown. */
function localeOf({ lang }: Fields, { headers }: FastifyRequest): Locale {
  return pickLocale(text(lang), headers['accept-language']);
}
