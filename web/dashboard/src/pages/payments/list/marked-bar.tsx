import { Download, Send, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { type PaymentLine, useResend } from '../queries.ts';
import { useExport } from './use-export.tsx';

/** What can be done with all marked payments at once. */
export function MarkedBar({
  marked,
  onClear,
}: {
  marked: readonly PaymentLine[];
  onClear: () => void;
}): ReactNode {
  const { start, dialog } = useExport();
  const resend = useResend();
  const ids = marked.map(({ id }) => id).join(',');
  const references = marked.map(({ payment_reference }) => payment_reference);
  return (
    <>
      <div
        role="toolbar"
        aria-label={t('Marked payments')}
        className="flex flex-wrap items-center gap-2 rounded-xl border border-line bg-accent-soft px-4 py-2"
      >
        <p className="mr-auto text-sm font-semibold" role="status">
          {t('{count} marked', { count: marked.length })}
        </p>
        {useMay('export') && (
          <Button size="small" onClick={() => start('csv', { ids })}>
            <Download size={16} aria-hidden /> {t('Export')}
          </Button>
        )}
        {useMay('resend webhooks') && (
          <Button size="small" pending={resend.isPending} onClick={() => resend.mutate(references)}>
            <Send size={16} aria-hidden /> {t('Send webhooks again')}
          </Button>
        )}
        <Button size="small" variant="plain" onClick={onClear}>
          <X size={16} aria-hidden /> {t('Unmark')}
        </Button>
      </div>
      {dialog}
    </>
  );
}
