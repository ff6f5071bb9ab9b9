import type { ReactNode } from 'react';
import { amountText, assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Card, Section } from '../../ui/layout/card.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { PayoutFacts } from './payout-facts.tsx';
import type { ConsolePayout } from './queries.ts';
import type { Side } from './side.ts';
import { storyOf } from './words.ts';

type Props = {
  side: Side;
  payouts: readonly ConsolePayout[];
  /** More about one, above its facts. */
  more?: (payout: ConsolePayout) => ReactNode;
};

/** Payouts that wait for approval, each with everything that is approved on one card. */
export function ApprovalCards({ side, payouts, more }: Props): ReactNode {
  if (payouts.length === 0) return null;
  return (
    <Section
      title={t('Waiting for approval')}
      description={t('Compare each address with one that you know from elsewhere before you approve.')}
    >
      <div className="grid gap-4 lg:grid-cols-2">
        {payouts.map((payout) => (
          <Card
            key={payout.id}
            title={`${amountText(payout.amount)} ${assetName(payout.asset)}`}
            description={storyOf(payout)}
          >
            {more?.(payout)}
            <PayoutFacts side={side} payout={payout} />
            <PayoutActions side={side} payout={payout} />
          </Card>
        ))}
      </div>
    </Section>
  );
}
