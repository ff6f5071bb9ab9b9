import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayRange } from '../../api/day-range.ts';
import { type Query, useList } from '../../api/list.ts';
import { useMay, useMerchant } from '../../api/scope.ts';
import type { Zone } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import type { AuditEntry } from './entry.ts';
import type { AuditSearch } from './search.ts';

const route = getRouteApi('/shell/m/$merchant/audit');

/** Every change in the business, by whom and from which address. */
export function AuditPage(): ReactNode {
  const { name } = useMerchant();
  const may = useMay('read the audit log');
  return (
    <>
      <PageHeader
        title={t('Audit log')}
        description={t(
          'Every change at {name}: by whom, from which address, and the values before. Nobody can alter it.',
          { name },
        )}
      />
      {may ? (
        <Entries />
      ) : (
        <EmptyState icon={ScrollText} title={t('Your role may not read the audit log')}>
          {t('Owners and developers may. Ask an owner to change your role.')}
        </EmptyState>
      )}
    </>
  );
}

function Entries(): ReactNode {
  const { id, integrations } = useMerchant();
  const search = route.useSearch();
  const zone = useZone();
  const list = useList<AuditEntry>(`/console/merchants/${id}/audit`, queryOf(search, zone));
  const isFiltered = Object.keys(search).some((key) => key !== 'open' && key !== 'cursor');
  return (
    <>
      <AuditFilters search={search} />
      <AuditList
        list={list}
        caption={
          search.about === 'security' ? t('Security, the newest first') : t('Changes, the newest first')
        }
        empty={
          <EmptyState icon={ScrollText} title={isFiltered ? t('Nothing was found') : t('No changes yet')}>
            {isFiltered
              ? t('No entry fits these filters. Change one of them, or clear them all.')
              : t('Every change that somebody makes here will be listed, for ever.')}
          </EmptyState>
        }
        integrationName={(wanted) => integrations.find((each) => each.id === wanted)?.name ?? t('another')}
      />
    </>
  );
}

function queryOf({ person, action, integration, cursor, about, from, to }: AuditSearch, zone: Zone): Query {
  return { person, action, integration, cursor, about, ...dayRange(from, to, zone) };
}
