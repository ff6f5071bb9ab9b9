import { TrainTrack } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card, Section } from '../../../ui/layout/card.tsx';
import { ChainCard, RailBadge } from './chain-card.tsx';
import { type RailHealth, useRails } from './queries.ts';

/** The state of each rail, and what an operator should do about it. */
export function Rails(): ReactNode {
  const rails = useRails();
  return (
    <Section title={t('Rails')} description={t('The networks that are watched for payments.')}>
      <Loaded query={rails} rows={2}>
        {({ items }) => (
          <>
            {items.some(isChain) ? (
              items.filter(isChain).map((health) => <ChainCard key={health.rail} health={health} />)
            ) : (
              <NoChain />
            )}
            {items
              .filter((health) => !isChain(health))
              .map((health) => (
                <OtherRail key={health.rail} health={health} />
              ))}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const isChain = ({ chain }: RailHealth): boolean => chain !== null;

function OtherRail({ health }: { health: RailHealth }): ReactNode {
  return (
    <Card
      title={health.rail === 'simulated' ? t('Simulated chain') : health.rail}
      description={
        health.lag_seconds > 0
          ? t('Simulates test payments, {lagSeconds} s late.', { lagSeconds: health.lag_seconds })
          : t('Simulates test payments, on time.')
      }
      actions={<RailBadge status={health.status} />}
    >
      {null}
    </Card>
  );
}

const example = `{
  "chains": [
    {
      "id": 56,
      "rpc": ["https://one.example/your-key", "https://two.example"],
      "treasury": "0x…"
    }
  ]
}`;

/** Without a chain, live payments can come from wallets in Florin alone: says how one is added. */
function NoChain(): ReactNode {
  return (
    <EmptyState
      icon={TrainTrack}
      title={t('No chain is configured')}
      code={example}
      codeLabel={t('Configuration file')}
    >
      {rich(
        'Live payments can only be paid from wallets that Florin holds. Name the chain, two of its RPC endpoints and your treasury in the file that {code} names, and start the gateway again.',
        { code: <code>CONFIG_FILE</code> },
      )}
    </EmptyState>
  );
}
