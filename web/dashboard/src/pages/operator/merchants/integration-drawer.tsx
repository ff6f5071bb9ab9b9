import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import { FeeForm } from './fee-form.tsx';
import { type IntegrationBalance, type IntegrationLine, useIntegrationBalances } from './queries.ts';

/** One integration for an operator: its facts, its fee and its balance. */
export function IntegrationDrawer({
  integration,
  onClose,
}: {
  integration: IntegrationLine;
  onClose: () => void;
}): ReactNode {
  const { id, name, approval, merchant_id, merchant_name, created_at, fee_payer } = integration;
  return (
    <Drawer open onClose={onClose} title={name} aside={<ApprovalBadge approval={approval} />}>
      <DefinitionList
        facts={[
          [
            t('Business'),
            merchant_id === null ? (
              t('None: created on the command line')
            ) : (
              <Link
                key="business"
                to="/operator/merchants/$merchant"
                params={{ merchant: merchant_id }}
                className="underline underline-offset-4"
              >
                {merchant_name}
              </Link>
            ),
          ],
          [t('ID'), <Id key="id" text={id} what={t('id')} />],
          [t('Since'), <Time key="since" at={created_at} exact />],
          [t('Fee is paid by'), fee_payer === 'merchant' ? t('the merchant') : t('the customer')],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {(['live', 'test'] as const).map((mode) => (
          <Link
            key={mode}
            to="/i/$integration/$mode/overview"
            params={{ integration: id, mode }}
            className={buttonClass('quiet', 'small')}
          >
            {t('Volume of 30 days, {mode}', { mode: ofGateway(mode) })}
          </Link>
        ))}
        <Link to="/operator/approvals" className={buttonClass('quiet', 'small')}>
          {t('Approvals')}
        </Link>
      </div>
      <FeeForm integration={integration} />
      <Card title={t('Balance')}>
        <Balances integrationId={id} />
      </Card>
    </Drawer>
  );
}

function Balances({ integrationId }: { integrationId: string }): ReactNode {
  const balances = useIntegrationBalances(integrationId);
  return (
    <Loaded query={balances} rows={2}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="text-sm text-quiet">{t('Nothing has been settled to this integration yet.')}</p>
        ) : (
          <div className="grid gap-4 sm:grid-cols-2">
            {(['live', 'test'] as const).map((mode) => (
              <ModeBalances key={mode} mode={mode} rows={items.filter((each) => each.mode === mode)} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function ModeBalances({ mode, rows }: { mode: 'live' | 'test'; rows: IntegrationBalance[] }): ReactNode {
  return (
    <div className="grid content-start gap-1 text-sm">
      <h3 className="font-semibold">{mode === 'live' ? t('Live') : t('Test')}</h3>
      {rows.length === 0 && <p className="text-quiet">{t('Nothing')}</p>}
      {rows.map(({ asset, available, held }) => (
        <p key={asset} className="flex flex-wrap justify-between gap-x-3">
          <Money amount={available} currency={asset} />
          {held !== '0' && <span className="text-quiet">{t('{held} held', { held: amountText(held) })}</span>}
        </p>
      ))}
    </div>
  );
}
