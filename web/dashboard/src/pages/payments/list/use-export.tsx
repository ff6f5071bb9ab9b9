import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { type Query, withQuery } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Progress } from '../../../ui/feedback/progress.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { type ExportFormat, type ExportProgress, saveExport } from './save-export.ts';

const figures = new Intl.NumberFormat('en');

/** Starts an export of payments; `dialog` shows its progress, and is to be rendered. */
export function useExport(): { start: (format: ExportFormat, wanted: Query) => void; dialog: ReactNode } {
  const { path } = useScope();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const running = useRef<AbortController>(null);

  async function start(format: ExportFormat, wanted: Query): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total: 0, isEstimate: false });
    try {
      const address = withQuery(path('/export/payments'), { ...wanted, format });
      await saveExport(address, format, controller.signal, setProgress);
      toast(t('Exported'));
    } catch (error) {
      if (!controller.signal.aborted) toast(messageOf(error), 'lost');
    } finally {
      setProgress(null);
    }
  }

  const stop = (): void => running.current?.abort();
  const dialog = (
    <Dialog
      open={progress !== null}
      onClose={stop}
      title={t('Exporting payments')}
      description={t('Stay on this page until it is done. Closing this stops the export.')}
      footer={<Button onClick={stop}>{t('Stop')}</Button>}
    >
      {progress !== null && <ProgressBar progress={progress} />}
    </Dialog>
  );
  return { start: (format, wanted) => void start(format, wanted), dialog };
}

function ProgressBar({ progress: { rows, total, isEstimate } }: { progress: ExportProgress }): ReactNode {
  const of = isEstimate ? t('about {total}', { total: figures.format(total) }) : figures.format(total);
  return (
    <Progress
      label={t('Payments')}
      value={total === 0 ? null : Math.min(rows, total)}
      max={Math.max(total, 1)}
      text={total === 0 ? t('counting') : t('{rows} of {of}', { rows: figures.format(rows), of })}
    />
  );
}
