import { letter } from './letter.ts';
import type { Letter } from './mail.ts';

// What customers get, at the address that was given with their payment.

const closing = 'You get this mail because this address was given with the payment.';

/** The colour of the shop's brand, where it has one. */
const accentIn = ({ accent }: { accent?: string }) => (accent === undefined ? {} : { accent });

/** To the customer: there is an answer on the payment's page. */
export function customerAnswerLetter(appeal: {
  integration: string;
  reference: string;
  url: string;
  accent?: string;
}): Letter {
  return letter({
    kind: 'customer_answer',
    subject: `${appeal.integration}: an answer about your payment`,
    paragraphs: [
      `Your payment ${appeal.reference} to ${appeal.integration} is being checked. There is an answer for you.`,
    ],
    action: { label: 'Read and answer', url: appeal.url },
    closing,
    ...accentIn(appeal),
  });
}

/** To the customer: somebody with the link of their payment claimed what is owed to them. `amount` has its currency. */
export function refundClaimedLetter(refund: {
  integration: string;
  reference: string;
  amount: string;
  network: string;
  to: string;
}): Letter {
  const { integration, reference, amount, network, to } = refund;
  return letter({
    kind: 'refund_claimed',
    subject: `${integration}: ${amount} of your payment goes to an address`,
    paragraphs: [
      `Somebody with the link of your payment ${reference} to ${integration} asked for the ${amount} that are owed to you. They go to this address on ${network}:`,
      to,
      `If that was not you, tell ${integration} at once. What was sent cannot be taken back.`,
    ],
    closing,
  });
}

/** To the customer: something is owed to them, and the page asks where it goes. `amount` has its currency. */
export function refundWaitsLetter(refund: {
  integration: string;
  reference: string;
  amount: string;
  network: string;
  url: string;
  accent?: string;
}): Letter {
  const { integration, reference, amount, network, url } = refund;
  return letter({
    kind: 'refund_waits',
    subject: `${integration}: ${amount} of your payment is yours`,
    paragraphs: [
      `${integration} refunds ${amount} of your payment ${reference}. It is sent on ${network}, to an address that you choose.`,
      'Whoever has this link can choose the address, so do not pass it on.',
    ],
    action: { label: 'Say where it goes', url },
    closing,
    ...accentIn(refund),
  });
}
