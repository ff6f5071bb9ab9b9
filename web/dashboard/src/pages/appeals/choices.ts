import type { Appeal, Shares, WayBack } from './queries.ts';
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

/** The decisions open to this side. */
export function choicesOf(side: Side, appeal: Appeal): Choice[] {
  const { accept, return: back, reject } = appeal.decisions;
  const choices: Choice[] = [];
  if (accept && side.as === 'merchant') {
    choices.push({
      call: 'accept',
      label: appeal.reason === 'reorg' ? 'Accept what is left' : 'Accept what came',
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
      main: true,
      refusal: reject.refusal,
      effects: [
        ...(reject.left ? leftEffects(reject.left) : ['No money moves: it stays with the business.']),
        'The payment is completed again; the shop hears that the appeal is closed.',
      ],
      done: 'The payment stands as completed',
    });
  }
  if (back) {
    choices.push({
      call: 'return',
      label: appeal.reason === 'reorg' ? 'Give back what is left' : 'Give the money back',
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
    ...(surplus.length > 0 ? [`${amountsText(surplus)} is more than was due and stays the customer's.`] : []),
    'The payment is completed, and your shop is told.',
  ];
}

function leftEffects({ receives, fee, surplus }: Shares): string[] {
  return [
    `Some of the money has left its chain. The business receives what is left: ${amountsText(receives)}${fee.length > 0 ? `, after a fee of ${amountsText(fee)}` : ''}.`,
    ...(surplus.length > 0 ? [`${amountsText(surplus)} is more than was due and stays the customer's.`] : []),
  ];
}

function returnEffects(side: Side, back: WayBack): string[] {
  const you = side.as === 'merchant' ? 'Your' : "The business's";
  const said: [amounts: WayBack['owed'], words: (amounts: string) => string][] = [
    [back.to_network, (amounts) => `${amounts} goes back to where it was sent from.`],
    [back.to_wallet, (amounts) => `${amounts} goes back to the wallet that paid.`],
    [back.owed, (amounts) => `${amounts} is booked as owed to the customer until it can be sent.`],
    [back.from_business, (amounts) => `${you} balance gives ${amounts}.`],
    [back.fee_given_up, (amounts) => `The fee of ${amounts} is given up.`],
    [
      back.shortage,
      (amounts) => `${you} balance lacks ${amounts}: it is owed, and paid out of what is received next.`,
    ],
  ];
  const effects = said.flatMap(([amounts, words]) =>
    amounts.length > 0 ? [words(amountsText(amounts))] : [],
  );
  const moved = [...back.to_network, ...back.to_wallet, ...back.owed].length > 0;
  return moved
    ? [...effects, 'The payment ends without a sale, and the shop hears that it was refunded.']
    : ['There is nothing to give back: all that came has left its chain.', 'The payment ends as failed.'];
}
