import type { Client, CreatedPayment, Payout, PayoutOutcome } from '@florin/sdk';
import type { KnownEvent } from '../merchant/words.ts';

/** The merchant's client, and the one for calls by which money leaves. */
type Clients = { client: Client; money: Client };

type Play<Made> = (clients: Clients, made: Made) => Promise<unknown>;

/**
 * How a new test payment or payout is made to cause an event, or why no call can do that. `rights`: what a key must be
 * allowed to do, beyond what keys without restrictions are.
 */
export type Way =
  | { payment: Play<CreatedPayment>; rights?: readonly string[] }
  | { payout: Play<Payout>; rights: readonly string[]; to?: string }
  | { why: string };

/** Addresses of test mode; a payout to the second one waits until somebody approves it. */
export const testAddress = 'test_florin_trigger';
const approvedAddress = 'test_needs_approval';

const simulated = (outcome: Parameters<Client['test']['simulate']>[1]): Way => ({
  payment: ({ client }, { PaymentData }) => client.test.simulate(PaymentData.payment_reference, outcome),
});

const decided: Way = {
  why: `a person makes this event, by the decision about an appeal. florin trigger payment_in_appeal opens one;
decide it in the dashboard`,
};

const always = ['use test mode calls', 'read events'] as const;

/** The payment is paid and refunded in full. Null: the refund waits for its customer. */
const refunded = (outcome: PayoutOutcome | null): Way => ({
  rights: ['create payments', 'make refunds', ...always],
  async payment({ client, money }, { PaymentData: { payment_reference: reference } }) {
    const paid = await client.test.simulate(reference, 'success');
    const asset = paid.transfers[0]?.asset;
    if (asset === undefined) throw new Error(`nothing was paid for ${reference}`);
    if (outcome === null) return await money.refunds.create(reference);
    // Because of the fee the business got less than its customer gets back.
    await money.test.topUp({ asset, amount: paid.amount_received ?? '0' });
    const refund = await money.refunds.create(reference, { to: testAddress });
    if (refund.status === 'awaiting_approval') {
      await money.refunds.cancel(reference, refund.id);
      throw new Error(`the refund ${mustBeApproved}`);
    }
    return await money.test.payouts.simulate(refund.id, outcome);
  },
});

const mustBeApproved = `has to be approved by a person, as the settings of the integration say, and was cancelled.
Under Settings, Payouts an owner can set that test payouts need no approval`;

const paidOut = (play: Play<Payout>): Way => ({
  rights: ['make payouts', ...always],
  async payout(clients, payout) {
    if (payout.status !== 'awaiting_approval') return await play(clients, payout);
    await clients.money.payouts.cancel(payout.id);
    throw new Error(`the payout ${mustBeApproved}`);
  },
});

/** A payout to this address waits for approval, whatever the settings are. */
const waiting: Way = {
  rights: ['make payouts', ...always],
  to: approvedAddress,
  async payout({ money }, { id, status }) {
    if (status === 'awaiting_approval') return;
    await money.payouts.cancel(id);
    throw new Error(`the payout needed no approval, and was cancelled.
A payout to ${approvedAddress} needs one, and so does any other where an owner set that, under Settings, Payouts`);
  },
};

/** The way to each type of event. */
export const ways: Record<KnownEvent, Way> = {
  payment_completed: simulated('success'),
  payment_failed: simulated('failure'),
  payment_abandoned: simulated('expire'),
  payment_linked: { payment: (_, payment) => chooseNetwork(payment) },
  payment_pending: simulated('slow'),
  payment_cancelled: {
    payment: ({ client }, { PaymentData }) => client.payments.cancel(PaymentData.payment_reference),
  },
  payment_in_appeal: simulated('dispute'),
  payment_appeal_closed: decided,
  payment_refunded: refunded('sent'),
  refund_created: refunded(null),
  refund_failed: refunded('refused_address'),
  payout_awaiting_approval: waiting,
  payout_completed: paidOut(({ money }, { id }) => money.test.payouts.simulate(id, 'sent')),
  payout_failed: paidOut(({ money }, { id }) => money.test.payouts.simulate(id, 'refused_address')),
  payout_cancelled: {
    rights: ['make payouts', ...always],
    payout: ({ money }, { id }) => money.payouts.cancel(id),
  },
  webhook_endpoint_disabled: { why: 'it reports an endpoint that failed for a week, and not a payment' },
};

/** Chooses how to pay on the hosted page, as a customer does (contract.md#page). */
async function chooseNetwork({ PaymentURL, PaymentData }: CreatedPayment): Promise<void> {
  const page = new URL(PaymentURL);
  const form = new URLSearchParams(page.searchParams);
  // A currency means its default network.
  form.set('asset', PaymentData.currency.toLowerCase());
  const { status } = await fetch(`${page.origin}${page.pathname}/method`, {
    method: 'POST',
    body: form,
    headers: { origin: page.origin },
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`the hosted page at ${page.origin} answered ${status}`);
}
