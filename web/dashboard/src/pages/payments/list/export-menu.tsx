import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayRange } from '../../../api/day-range.ts';
import { monthOf } from '../../../api/month.ts';
import { serverNow } from '../../../format/server-clock.ts';
import { useZone } from '../../../format/time-zone.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Menu } from '../../../ui/button/menu.tsx';
import { filterQuery } from '../queries.ts';
import type { PaymentsSearch } from '../search.ts';
import { useExport } from './use-export.tsx';

/** Saves exactly the payments that the list is filtered to, all of its pages. */
export function ExportMenu({ search }: { search: PaymentsSearch }): ReactNode {
  const zone = useZone();
  const query = filterQuery(search, zone);
  const { start, dialog } = useExport();
  return (
    <>
      <Menu
        heading={t('All payments of this view')}
        trigger={
          <Button>
            <Download size={16} aria-hidden /> {t('Export')}
          </Button>
        }
        items={[
          { label: t('CSV, for spreadsheets'), onSelect: () => start('csv', query) },
          { label: t('JSON, for programs'), onSelect: () => start('json', query) },
          'line',
          ...[0, 1].map((back) => {
            const { name, from, to } = monthOf(serverNow(), back, zone);
            const wanted = { ...query, ...dayRange(from, to, zone) };
            return { label: t('{name}, CSV', { name }), onSelect: () => start('csv', wanted) };
          }),
        ]}
      />
      {dialog}
    </>
  );
}
