import type { ReactNode } from 'react';
import { readAsset } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
import { t } from '../../texts/t.ts';
import { Id } from '../../ui/display/code.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { Money } from '../../ui/display/money.tsx';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { ConsolePayout } from './queries.ts';
import type { Side } from './side.ts';
import { purposeWords } from './words.ts';

/** Everything that somebody who approves must see: what leaves, where it goes, and who asked. */
export function PayoutFacts({ side, payout }: { side: Side; payout: ConsolePayout }): ReactNode {
  const { payment_reference: reference, asset, amount, fee, to, memo, description, transaction } = payout;
  return (
    <DefinitionList
      facts={[
        [t('For'), purposeWords[payout.purpose]],
        [
          t('Payment'),
          reference && side.as === 'merchant' ? (
            <PaymentLink key="payment" reference={reference} />
          ) : (
            reference
          ),
        ],
        [
          t('The receiver gets'),
          <Money key="amount" amount={amount} currency={asset} className="font-semibold" />,
        ],
        [t('Fee beside it'), isSome(fee) ? <Money key="fee" amount={fee} currency={asset} /> : t('None')],
        [t('Network'), readAsset(asset).network],
        [
          t('To'),
          <span key="to" className="font-mono">
            {to}
          </span>,
        ],
        [t('Memo'), memo && <span className="font-mono">{memo}</span>],
        [t('Reference'), payout.payout_reference],
        [t('Description'), description],
        [
          t('Decided as one with'),
          payout.together_with.length > 0 &&
            payout.together_with.map((part) => (
              <span key={part.to} className="block">
                <Money amount={part.amount} currency={asset} /> <span className="font-mono">{part.to}</span>
              </span>
            )),
        ],
        [t('Asked for by'), payout.requester],
        [t('Asked for'), <Time key="at" at={payout.created_at} />],
        [
          t('Approved by'),
          payout.approvals.length > 0 ? payout.approvals.map(({ by }) => by).join(', ') : undefined,
        ],
        [
          t('Transaction'),
          transaction && <Id text={transaction} what={t('transaction')} href={payout.transaction_url} />,
        ],
      ]}
    />
  );
}
