import { t } from '../../texts/t.ts';
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
      label: appeal.reason === 'reorg' ? t('Accept what is left') : t('Accept what was received'),
      main: true,
      refusal: accept.refusal,
      effects: acceptEffects(accept),
      done: t('Accepted: the payment is completed'),
    });
  }
  if (reject && side.as === 'operator') {
    choices.push({
      call: 'reject-dispute',
      label: t('Reject the appeal'),
      main: false,
      refusal: reject.refusal,
      effects: [
        ...(reject.left ? leftEffects(reject.left) : [t('No money moves: it stays with the business.')]),
        t('The payment is completed again, and the shop gets a webhook that the appeal is closed.'),
      ],
      done: t('The payment is completed again'),
    });
  }
  if (back) {
    choices.push({
      call: 'return',
      label: appeal.reason === 'reorg' ? t('Refund what is left') : t('Refund the customer'),
      main: false,
      refusal: back.refusal,
      effects: returnEffects(side, back),
      done: t('The appeal is closed'),
    });
  }
  return choices;
}

function acceptEffects({ receives, fee, surplus }: Shares): string[] {
  return [
    fee.length > 0
      ? t('You receive {receives}, after a fee of {fee}.', {
          receives: amountsText(receives),
          fee: amountsText(fee),
        })
      : t('You receive {receives}.', { receives: amountsText(receives) }),
    ...(surplus.length > 0
      ? [t('{surplus} is more than was due and is owed to the customer.', { surplus: amountsText(surplus) })]
      : []),
    t('The payment is completed, and your shop gets a webhook.'),
  ];
}

function leftEffects({ receives, fee, surplus }: Shares): string[] {
  return [
    fee.length > 0
      ? t(
          'Some of the money has left its chain. The business receives what is left: {receives}, after a fee of {fee}.',
          { receives: amountsText(receives), fee: amountsText(fee) },
        )
      : t('Some of the money has left its chain. The business receives what is left: {receives}.', {
          receives: amountsText(receives),
        }),
    ...(surplus.length > 0
      ? [t('{surplus} is more than was due and is owed to the customer.', { surplus: amountsText(surplus) })]
      : []),
  ];
}

function returnEffects(side: Side, back: RefundPlan): string[] {
  const isOwn = side.as === 'merchant';
  const balance = isOwn ? t('your balance') : t("the business's balance");
  const said: [amounts: RefundPlan['owed'], words: (amounts: string) => string][] = [
    [back.to_wallet, (amounts) => t('{amounts} is refunded to the wallet that paid.', { amounts })],
    [
      back.owed,
      (amounts) => t('{amounts} is owed to the customer, who is asked where it goes.', { amounts }),
    ],
    [back.from_business, (amounts) => t('{amounts} is taken from {balance}.', { amounts, balance })],
    [back.fee_given_up, (amounts) => t('The fee of {amounts} is not charged.', { amounts })],
    [
      back.shortage,
      (amounts) =>
        isOwn
          ? t('{amounts} of that is missing: you owe it, and what comes next pays it first.', { amounts })
          : t('{amounts} of that is missing: the business owes it, and what comes next pays it first.', {
              amounts,
            }),
    ],
  ];
  const effects = said.flatMap(([amounts, words]) =>
    amounts.length > 0 ? [words(amountsText(amounts))] : [],
  );
  const moved = [...back.to_wallet, ...back.owed].length > 0;
  return moved
    ? [...effects, t('The payment ends without a sale, and the shop gets a webhook when a refund has left.')]
    : [
        t('There is nothing to refund: everything received has left its chain.'),
        t('The payment ends as failed.'),
      ];
}
