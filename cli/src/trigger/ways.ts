import type { Client, CreatedPayment } from '@florin/sdk';
import type { KnownEvent } from '../merchant/words.ts';

/** How a new test payment is made to cause an event, or why no call can do that. */
export type Way = { play: (client: Client, payment: CreatedPayment) => Promise<unknown> } | { why: string };

const simulated = (outcome: Parameters<Client['test']['simulate']>[1]): Way => ({
  play: (client, { PaymentData }) => client.test.simulate(PaymentData.payment_reference, outcome),
});

const decided: Way = {
  why: `a person makes this event, by the decision about an appeal. florin trigger payment_in_appeal opens one;
decide it in the dashboard`,
};

const ofRefund: Way = {
  why: 'it reports a refund of a payment: florin refunds create makes one, with a key that may make refunds',
};

const ofPayout: Way = { why: 'it reports a payout, and not a payment' };

/** The way to each type of event. */
export const ways: Record<KnownEvent, Way> = {
  payment_completed: simulated('success'),
  payment_failed: simulated('failure'),
  payment_abandoned: simulated('expire'),
  payment_linked: { play: (_, payment) => chooseNetwork(payment) },
  payment_pending: simulated('slow'),
  payment_cancelled: {
    play: (client, { PaymentData }) => client.payments.cancel(PaymentData.payment_reference),
  },
  payment_in_appeal: simulated('dispute'),
  payment_appeal_closed: decided,
  payment_refunded: ofRefund,
  refund_created: ofRefund,
  refund_failed: ofRefund,
  payout_awaiting_approval: ofPayout,
  payout_completed: ofPayout,
  payout_failed: ofPayout,
  payout_cancelled: ofPayout,
  webhook_endpoint_disabled: { why: 'it reports an endpoint that failed for a week, and not a payment' },
};

/** Chooses how to pay on the hosted page, as a customer does (contract.md 9). */
async function chooseNetwork({ PaymentURL, PaymentData }: CreatedPayment): Promise<void> {
  const page = new URL(PaymentURL);
  const form = new URLSearchParams(page.searchParams);
  // A currency stands for its default network.
  form.set('asset', PaymentData.currency.toLowerCase());
  const { status } = await fetch(`${page.origin}${page.pathname}/method`, {
    method: 'POST',
    body: form,
    headers: { origin: page.origin },
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`the hosted page at ${page.origin} answered ${status}`);
}
