import { type MemberRole, permissionsOf, viewOf } from '../roles.ts';
import { letter, minuteOf, someOf } from './letter.ts';
import type { Letter } from './mail.ts';

const notExpected = 'If you did not ask for this, you do not need to do anything.';
const alarming =
  'If this was not you, sign in, change your password and end the other sessions, or reset your password.';

export function confirmAddressLetter(url: string): Letter {
  return letter({
    kind: 'confirm_address',
    subject: 'Confirm your e-mail address',
    paragraphs: ['Somebody gave this address for an account with Florin. The link works for one day.'],
    action: { label: 'Confirm this address', url },
    closing: notExpected,
  });
}

export function resetPasswordLetter(url: string): Letter {
  return letter({
    kind: 'reset_password',
    subject: 'Choose a new password',
    paragraphs: ['Somebody asked for a new password for your account. The link works for one hour.'],
    action: { label: 'Choose a new password', url },
    closing: `${notExpected} Your password does not change.`,
  });
}

export function guessesLetter(url: string): Letter {
  return letter({
    kind: 'guesses',
    subject: 'Many tries to sign in to your account failed',
    paragraphs: [
      'Somebody tries passwords or codes at your account. For now it takes none from new devices; devices and addresses from which you signed in before work as always.',
      'From a new device, sign in with a passkey, or reset your password by mail: after that the device is known.',
    ],
    action: { label: 'Reset the password', url },
    closing: 'You get this mail once a day at most. If it was you, you do not need to do anything.',
  });
}

export function invitationLetter(invitation: {
  merchant: string;
  by: string;
  role: MemberRole;
  url: string;
}): Letter {
  const { merchant, by, role, url } = invitation;
  const money = viewOf(permissionsOf(role)).flatMap(({ words, moves_money }) => (moves_money ? [words] : []));
  const moves = money.length === 0 ? 'It moves no money.' : `It moves money. It may: ${money.join('; ')}.`;
  return letter({
    kind: 'invitation',
    subject: `You are invited to ${merchant}`,
    paragraphs: [`${by} invites you to ${merchant} on Florin. Your role would be: ${role}. ${moves}`],
    action: { label: 'See the invitation', url },
    closing: 'If you do not know them, you do not need to do anything.',
  });
}

/** `address` is the endpoint's URL. `why` and the error of the last failure are sentences without a full stop. */
export function endpointDisabledLetter(endpoint: {
  integration: string;
  mode: string;
  address: string;
  why: string;
  failingSince: Date;
  lastFailure: { at: Date; error: string; response: string | null } | null;
  url: string;
}): Letter {
  const { integration, mode, address, why, failingSince, lastFailure, url } = endpoint;
  return letter({
    kind: 'endpoint_disabled',
    subject: `${integration}: webhooks to ${new URL(address).host} were turned off`,
    paragraphs: [
      `Florin no longer sends ${mode} webhooks of ${integration} to ${address}`,
      `${why}, the first one at ${minuteOf(failingSince)}. Payments work as before, but your server gets no events.`,
      ...(lastFailure ? [failureText(lastFailure)] : []),
      'Repair the receiver. Then choose Activate at the endpoint: what it missed is sent. Send again what failed. From a script: set its status to active with PATCH /webhook-endpoints/{id}, then POST /webhook-endpoints/{id}/replay.',
    ],
    action: { label: 'See its deliveries', url },
    closing: 'You get this mail because you manage the integration.',
  });
}

const quotedLength = 200;

function failureText(failure: { at: Date; error: string; response: string | null }): string {
  const answer = failure.response?.replace(/\s+/g, ' ').trim().slice(0, quotedLength) ?? '';
  const quoted = answer === '' ? '' : ` It answered: ${answer}`;
  return `The last attempt failed at ${minuteOf(failure.at)}: ${failure.error}.${quoted}`;
}

/** `word` is the decision on live mode: `approved`. */
export function approvalLetter(decided: {
  integration: string;
  word: string;
  reason: string | null;
  url: string;
}): Letter {
  const { integration, word, reason, url } = decided;
  return letter({
    kind: 'approval',
    subject: `${integration}: live mode was ${word}`,
    paragraphs: [
      `An operator decided about ${integration}: its live mode was ${word}.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
    ],
    action: { label: 'See its settings', url },
    closing: 'You get this mail because you own the business.',
  });
}

/** `what` ends the sentence "For your account ..."; `from` says where: `the address 192.0.2.7`. */
export function securityLetter(what: string, from: string): Letter {
  return letter({
    kind: 'security',
    subject: `For your account ${what}`,
    paragraphs: [`For your account with Florin ${what}. This was done from ${from}.`],
    closing: alarming,
  });
}

export function closedLetter(): Letter {
  return letter({
    kind: 'account_closed',
    subject: 'Your account was closed',
    paragraphs: ['Your account with Florin is closed, and your name and this address are removed from it.'],
    closing: 'If you did not ask for this, ask whoever runs the gateway.',
  });
}

/** To a member: a payment of their business is in appeal. `what` is the reason, as a sentence. */
export function appealOpenedLetter(appeal: {
  integration: string;
  reference: string;
  what: string;
  url: string;
}): Letter {
  return letter({
    kind: 'appeal_opened',
    subject: `${appeal.integration}: payment ${appeal.reference} is in appeal`,
    paragraphs: [appeal.what, 'The money does not move until the appeal is decided.'],
    action: { label: 'See the appeal', url: appeal.url },
    closing: 'You get this mail because you answer appeals for this business.',
  });
}

/** To a member: the customer or the operator wrote. The text itself is shown only after sign-in. */
export function appealAnswerLetter(appeal: {
  integration: string;
  reference: string;
  from: 'customer' | 'operator';
  url: string;
}): Letter {
  const who = appeal.from === 'customer' ? 'The customer' : 'The operator of the gateway';
  return letter({
    kind: 'appeal_answer',
    subject: `${appeal.integration}: ${appeal.from === 'customer' ? 'the customer' : 'the operator'} wrote about payment ${appeal.reference}`,
    paragraphs: [`${who} wrote about the payment ${appeal.reference}, which is in appeal.`],
    action: { label: 'Read and answer', url: appeal.url },
    closing: 'You get this mail because you answer appeals for this business.',
  });
}

/** To whoever may approve: payouts wait. Each of `payouts` is a sentence without its full stop. */
export function payoutsWaitLetter(waiting: {
  integration: string;
  mode: string;
  by: string;
  payouts: string[];
  url: string;
}): Letter {
  const { integration, mode, by, payouts, url } = waiting;
  const count = payouts.length === 1 ? 'A payout waits' : `${payouts.length} payouts wait`;
  return letter({
    kind: 'payouts_wait',
    subject: `${integration}: ${count.toLowerCase()} for approval`,
    paragraphs: [
      `${count} for your approval in ${mode} mode. Asked for by: ${by}.`,
      ...someOf(payouts),
      'Check each address with whoever asked, not by answering this mail. Nothing is sent before it is approved.',
    ],
    action: { label: 'See what waits', url },
    closing: 'You get this mail because you may approve payouts.',
  });
}

/** To whoever makes payouts: a scheduled payout was not ordered. `why` is a sentence without its full stop. */
export function payoutSkippedLetter(skipped: {
  integration: string;
  mode: string;
  what: string;
  why: string;
  url: string;
}): Letter {
  const { integration, mode, what, why, url } = skipped;
  return letter({
    kind: 'payout_skipped',
    subject: `${integration}: a scheduled payout was skipped`,
    paragraphs: [
      `The ${mode} payout of ${what} was not ordered: ${why}.`,
      'It is tried again at its next time.',
    ],
    action: { label: 'See the schedules', url },
    closing: 'You get this mail because you may make payouts.',
  });
}

/** To whoever makes payouts: an address was added to the address book. */
export function addressAddedLetter(added: {
  integration: string;
  mode: string;
  by: string;
  label: string;
  address: string;
  memo: string | null;
  usableAt: Date;
  url: string;
}): Letter {
  const { integration, mode, by, label, address, memo, usableAt, url } = added;
  return letter({
    kind: 'address_added',
    subject: `${integration}: an address was added for payouts`,
    paragraphs: [
      `${by} added an address to the ${mode} address book: ${label}.`,
      memo === null ? address : `${address}, with the memo ${memo}`,
      `It may be used from ${minuteOf(usableAt)}. Until then and after, you can stop it.`,
    ],
    action: { label: 'See the address book', url },
    closing: 'You get this mail because you may make payouts.',
  });
}

/** To everybody who may stop it: payments of an asset settle elsewhere. `address` null: to the balance again. */
export function ownAddressLetter(change: {
  integration: string;
  mode: string;
  by: string;
  asset: string;
  address: string | null;
  from: Date;
  url: string;
}): Letter {
  const { integration, mode, by, asset, address, from, url } = change;
  const what =
    address === null
      ? [
          `${by} ended the own address for ${asset} in ${mode} mode. New payments are credited to the balance.`,
        ]
      : [
          `${by} set an address of your own for ${asset} in ${mode} mode:`,
          address,
          `New payments settle there from ${minuteOf(from)}. Until then and after, you can end it. Money that was sent there cannot be brought back.`,
        ];
  return letter({
    kind: 'own_address',
    subject: `${integration}: ${address === null ? 'an own address was ended' : 'payments will settle to another address'}`,
    paragraphs: what,
    action: { label: 'See the addresses', url },
    closing: 'You get this mail because you may make payouts.',
  });
}

/** To operators: final transfers are gone from their chain. Each reversal is a sentence without its full stop. */
export function reversalsLetter({ reversals, url }: { reversals: string[]; url: string }): Letter {
  return letter({
    kind: 'reversals',
    subject: `${reversals.length === 1 ? 'A booked transfer is' : `${reversals.length} booked transfers are`} gone from the chain`,
    paragraphs: [
      'A reorg replaced blocks that counted as final. These bookings were reversed:',
      ...someOf(reversals),
      'Payments that are no longer covered are in appeal. A business that had spent its share now owes it. If the transactions are mined again, everything is booked again by itself.',
      'Find out what happened on the chain. Until you know, consider asking for more confirmations there.',
    ],
    action: { label: 'See the appeals', url },
    closing: 'You get this mail because you are an operator of this gateway.',
  });
}
