import type { ReactNode } from 'react';
import { readAsset } from '../../format/amount.ts';
import { isSome } from '../../format/decimals.ts';
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
        ['For', purposeWords[payout.purpose]],
        [
          'Payment',
          reference && side.as === 'merchant' ? (
            <PaymentLink key="payment" reference={reference} />
          ) : (
            reference
          ),
        ],
        [
          'The receiver gets',
          <Money key="amount" amount={amount} currency={asset} className="font-semibold" />,
        ],
        ['Fee beside it', isSome(fee) ? <Money key="fee" amount={fee} currency={asset} /> : 'None'],
        ['Network', readAsset(asset).network],
        [
          'To',
          <span key="to" className="font-mono">
            {to}
          </span>,
        ],
        ['Memo', memo && <span className="font-mono">{memo}</span>],
        ['Reference', payout.payout_reference],
        ['Description', description],
        ['Asked for by', payout.requester],
        ['Asked for', <Time key="at" at={payout.created_at} />],
        [
          'Approved by',
          payout.approvals.length > 0 ? payout.approvals.map(({ by }) => by).join(', ') : undefined,
        ],
        [
          'Transaction',
          transaction && <Id text={transaction} what="transaction" href={payout.transaction_url} />,
        ],
      ]}
    />
  );
}
