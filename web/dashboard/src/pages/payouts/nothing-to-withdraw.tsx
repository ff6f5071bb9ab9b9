import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { PayoutAssets } from './queries.ts';

type Props = { isEnabled: boolean; some: PayoutAssets['items'] };

/** Why nothing can be withdrawn now, and what to do. */
export function NothingToWithdraw({ isEnabled, some }: Props): ReactNode {
  const { integrationId: integration, mode } = useScope();
  if (!isEnabled) {
    return (
      <Banner
        tone="waiting"
        title={t('Payouts are off')}
        action={
          <Link
            to="/i/$integration/$mode/settings"
            params={{ integration, mode }}
            search={{ tab: 'payouts' }}
            className={buttonClass()}
          >
            {t('Payout settings')}
          </Link>
        }
      >
        {t('An owner turns them on in the settings.')}
      </Banner>
    );
  }
  if (some.length === 0) {
    return (
      <Banner tone="waiting" title={t('The balance is empty')}>
        {t('Each completed payment adds to it.')}
      </Banner>
    );
  }
  return (
    <Banner tone="waiting" title={t('Nothing can be withdrawn now')}>
      <ul>
        {some.map(({ asset, why }) => (
          <li key={asset}>
            {assetName(asset)}: {why !== null && ofGateway(why)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
