import { Download } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { dayRange } from '../../api/day-range.ts';
import { type Query, withQuery } from '../../api/list.ts';
import { monthOf } from '../../api/month.ts';
import { useScope } from '../../api/scope.ts';
import { useZone } from '../../format/time-zone.ts';
import { Button } from '../../ui/button/button.tsx';
import { Menu } from '../../ui/button/menu.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Progress } from '../../ui/feedback/progress.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { filterQuery } from './queries.ts';
import { type ExportFormat, type ExportProgress, saveExport } from './save-export.ts';
import type { PaymentsSearch } from './search.ts';

const figures = new Intl.NumberFormat('en');

/** Saves exactly the payments that the list is filtered to, all of its pages. */
export function ExportMenu({ search }: { search: PaymentsSearch }): ReactNode {
  const { path } = useScope();
  const zone = useZone();
  const query = filterQuery(search, zone);
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const running = useRef<AbortController>(null);

  async function start(format: ExportFormat, wanted: Query = query): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total: 0, isEstimate: false });
    try {
      await saveExport(
        withQuery(path('/export/payments'), { ...wanted, format }),
        format,
        controller.signal,
        setProgress,
      );
      toast('Exported');
    } catch (error) {
      if (!controller.signal.aborted) toast(messageOf(error), 'lost');
    } finally {
      setProgress(null);
    }
  }

  return (
    <>
      <Menu
        heading="All payments of this view"
        trigger={
          <Button>
            <Download size={16} aria-hidden /> Export
          </Button>
        }
        items={[
          { label: 'CSV, for spreadsheets', onSelect: () => void start('csv') },
          { label: 'JSON, for programs', onSelect: () => void start('json') },
          'line',
          ...[0, 1].map((back) => {
            const { name, from, to } = monthOf(new Date(), back, zone);
            const wanted = { ...query, ...dayRange(from, to, zone) };
            return { label: `${name}, CSV`, onSelect: () => void start('csv', wanted) };
          }),
        ]}
      />
      <Dialog
        open={progress !== null}
        onClose={() => running.current?.abort()}
        title="Exporting payments"
        description="Stay on this page until it is done. Closing this stops the export."
        footer={<Button onClick={() => running.current?.abort()}>Stop</Button>}
      >
        {progress !== null && <ProgressBar progress={progress} />}
      </Dialog>
    </>
  );
}

function ProgressBar({ progress: { rows, total, isEstimate } }: { progress: ExportProgress }): ReactNode {
  const of = `${isEstimate ? 'about ' : ''}${figures.format(total)}`;
  return (
    <Progress
      label="Payments"
      value={total === 0 ? null : Math.min(rows, total)}
      max={Math.max(total, 1)}
      text={total === 0 ? 'counting' : `${figures.format(rows)} of ${of}`}
    />
  );
}
