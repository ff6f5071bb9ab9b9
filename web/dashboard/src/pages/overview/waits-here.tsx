import { BanknoteArrowUp, Scale, Undo2, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { type Need, NeedsList } from '../attention/needs-list.tsx';
import type { MerchantAttention } from '../attention/queries.ts';

/** What of this integration waits for a person of the business. */
export function WaitsHere({ attention }: { attention: MerchantAttention }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const params = { integration, mode };
  const needs: Need[] = [
    {
      count: attention.appeals,
      words: [t('appeal waits for a decision'), t('appeals wait for a decision')],
      icon: Scale,
      to: { to: '/i/$integration/$mode/appeals', params },
    },
    {
      count: attention.payouts,
      words: [t('payout waits for approval'), t('payouts wait for approval')],
      icon: BanknoteArrowUp,
      to: { to: '/i/$integration/$mode/balances', params, search: { tab: 'payouts' } },
    },
    {
      count: attention.refunds,
      words: [t('refund waits for your transfer'), t('refunds wait for your transfer')],
      icon: Undo2,
      to: { to: '/i/$integration/$mode/balances', params, search: { tab: 'payouts' } },
    },
    {
      count: attention.endpoints,
      words: [t('webhook endpoint does not answer'), t('webhook endpoints do not answer')],
      icon: Webhook,
      to: { to: '/i/$integration/$mode/webhooks', params },
    },
  ];
  return <NeedsList needs={needs} countedUpTo={attention.counted_up_to} />;
}
