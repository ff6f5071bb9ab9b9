import type { Client, CreatedPayment } from '@florin/sdk';
import type { KnownEvent } from '../merchant/words.ts';

/** How a new test payment is brought to an event, or why no call can do that. */
export type Way = { play: (client: Client, payment: CreatedPayment) => Promise<unknown> } | { why: string };

const simulated = (outcome: Parameters<Client['test']['simulate']>[1]): Way => ({
  play: (client, { PaymentData }) => client.test.simulate(PaymentData.payment_reference, outcome),
});

const decided: Way = {
  why: `a person makes this event, by the decision about an appeal. florin trigger payment_in_appeal opens one;
decide it in the dashboard`,
};

/** The way to each event that the gateway knows. */
export const ways: Record<KnownEvent, Way> = {
  payment_completed: simulated('success'),
  payment_failed: simulated('failure'),
  payment_abandoned: simulated('expire'),
  payment_linked: { play: (_, payment) => chooseWallet(payment) },
  payment_pending: simulated('slow'),
  payment_cancelled: {
    play: (client, { PaymentData }) => client.payments.cancel(PaymentData.payment_reference),
  },
  payment_in_appeal: simulated('dispute'),
  payment_appeal_closed: decided,
  payment_refunded: decided,
  webhook_endpoint_disabled: { why: 'it tells of an endpoint that failed for a week, not of a payment' },
};

/** Does on the hosted page what a customer does there (contract.md 9): chooses how to pay. */
async function chooseWallet({ PaymentURL }: CreatedPayment): Promise<void> {
  const page = new URL(PaymentURL);
  const form = new URLSearchParams(page.searchParams);
  form.set('asset', 'wallet');
  const { status } = await fetch(`${page.origin}${page.pathname}/method`, {
    method: 'POST',
    body: form,
    headers: { origin: page.origin },
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`the hosted page at ${page.origin} answered ${status}`);
}
