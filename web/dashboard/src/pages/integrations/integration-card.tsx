import { Link } from '@tanstack/react-router';
import { BadgeCheck, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ApprovalBadge } from './approval-badge.tsx';
import { IntegrationMark } from './integration-mark.tsx';
import type { IntegrationItem } from './queries.ts';

/** One integration with the state of both its modes. */
export function IntegrationCard({ item }: { item: IntegrationItem }): ReactNode {
  const params = { integration: item.id, mode: 'test' } as const;
  return (
    <li className="relative grid content-start gap-4 rounded-xl border border-line bg-surface p-4 hover:border-line-strong sm:p-5">
      <div className="flex items-start gap-3">
        <IntegrationMark name={item.name} logoUrl={item.logo_url} />
        <div className="grid min-w-0 gap-0.5">
          <h2 className="text-base font-semibold wrap-anywhere">
            <Link to="/i/$integration/$mode/overview" params={params} className="row-link">
              {item.name}
            </Link>
          </h2>
          <p className="flex min-w-0 items-center gap-1 text-sm text-quiet">
            {item.domain_verified_at !== null && (
              <>
                <BadgeCheck size={15} className="shrink-0 text-paid" aria-hidden />
                <span className="sr-only">{t('Verified domain:')}</span>
              </>
            )}
            <span className="truncate">{item.domain ?? t('No domain yet')}</span>
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 text-sm">
        <dt className="text-quiet">{t('Test mode')}</dt>
        <dd>
          <Badge tone="paid" icon={CircleCheck}>
            {t('On')}
          </Badge>
        </dd>
        <dt className="text-quiet">{t('Live mode')}</dt>
        <dd>
          <ApprovalBadge approval={item.approval} />
        </dd>
      </dl>
      {item.approval_reason !== null && (
        <p className="text-sm text-lost wrap-anywhere">
          {t('Reason: {approvalReason}', { approvalReason: item.approval_reason })}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-quiet">
        <span>{rich('Created {time}', { time: <Time at={item.created_at} /> })}</span>
        <Link
          to="/i/$integration/$mode/settings"
          params={params}
          className={`relative z-1 ${buttonClass('quiet', 'small')}`}
        >
          {rich('Settings{span}', {
            span: <span className="sr-only"> {t('of {name}', { name: item.name })}</span>,
          })}
        </Link>
      </div>
    </li>
  );
}
