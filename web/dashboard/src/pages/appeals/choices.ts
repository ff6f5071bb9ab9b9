import type { Appeal, RefundPlan, Shares } from './queries.ts';
import type { Side } from './side.ts';
import { amountsText } from './words.ts';

/** A decision that a person may make now, or why not now. */
export type Choice = {
  /** The last part of its path. */
  call: 'accept' | 'return' | 'reject-dispute';
  label: string;
  main: boolean;
  refusal: string | null;
  /** What it does, to the money first. */
  effects: string[];
  done: string;
};

/** The decisions that this side may make. */
export function choicesOf(side: Side, appeal: Appeal): Choice[] {
  const { accept, return: back, reject } = appeal.decisions;
  const choices: Choice[] = [];
  if (accept && side.as === 'merchant') {
    choices.push({
      call: 'accept',
      label: appeal.reason === 'reorg' ? 'Accept what is left' : 'Accept what was received',
      main: true,
      refusal: accept.refusal,
      effects: acceptEffects(accept),
      done: 'Accepted: the payment is completed',
    });
  }
  if (reject && side.as === 'operator') {
    choices.push({
      call: 'reject-dispute',
      label: 'Reject the dispute',
      main: false,
      refusal: reject.refusal,
      effects: [
        ...(reject.left ? leftEffects(reject.left) : ['No money moves: it stays with the business.']),
        'The payment is completed again, and the shop gets a webhook that the appeal is closed.',
      ],
      done: 'The payment is completed again',
    });
  }
  if (back) {
    choices.push({
      call: 'return',
      label: appeal.reason === 'reorg' ? 'Refund what is left' : 'Refund the customer',
      main: false,
      refusal: back.refusal,
      effects: returnEffects(side, back),
      done: 'The appeal is closed',
    });
  }
  return choices;
}

function acceptEffects({ receives, fee, surplus }: Shares): string[] {
  return [
    `You receive ${amountsText(receives)}${fee.length > 0 ? `, after a fee of ${amountsText(fee)}` : ''}.`,
    ...(surplus.length > 0
      ? [`${amountsText(surplus)} is more than was due and is owed to the customer.`]
      : []),
    'The payment is completed, and your shop gets a webhook.',
  ];
}

function leftEffects({ receives, fee, surplus }: Shares): string[] {
  return [
    `Some of the money has left its chain. The business receives what is left: ${amountsText(receives)}${fee.length > 0 ? `, after a fee of ${amountsText(fee)}` : ''}.`,
    ...(surplus.length > 0
      ? [`${amountsText(surplus)} is more than was due and is owed to the customer.`]
      : []),
  ];
}

function returnEffects(side: Side, back: RefundPlan): string[] {
  const isOwn = side.as === 'merchant';
  const balance = isOwn ? 'your balance' : "the business's balance";
  const said: [amounts: RefundPlan['owed'], words: (amounts: string) => string][] = [
    [back.to_wallet, (amounts) => `${amounts} is refunded to the wallet that paid.`],
    [back.owed, (amounts) => `${amounts} is owed to the customer, who is asked where it goes.`],
    [back.from_business, (amounts) => `${amounts} is taken from ${balance}.`],
    [back.fee_given_up, (amounts) => `The fee of ${amounts} is not charged.`],
    [
      back.shortage,
      (amounts) =>
        `${amounts} of that is missing: ${isOwn ? 'you owe' : 'the business owes'} it, and what comes next pays it first.`,
    ],
  ];
  const effects = said.flatMap(([amounts, words]) =>
    amounts.length > 0 ? [words(amountsText(amounts))] : [],
  );
  const moved = [...back.to_wallet, ...back.owed].length > 0;
  return moved
    ? [...effects, 'The payment ends without a sale, and the shop gets a webhook when a refund has left.']
    : ['There is nothing to refund: everything received has left its chain.', 'The payment ends as failed.'];
}
