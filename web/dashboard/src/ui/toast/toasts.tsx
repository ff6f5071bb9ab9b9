import { CircleAlert, CircleCheck, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { dismissToast, useToasts } from './toast.ts';

/** The place of toasts; the whole app has one. */
export function Toasts(): ReactNode {
  const notes = useToasts();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 grid justify-items-end gap-2"
    >
      {notes.map(({ id, text, tone }) => (
        <div
          key={id}
          className="appear pointer-events-auto flex max-w-md items-start gap-2.5 rounded-xl bg-ink py-2.5 pr-2 pl-3.5 text-sm text-paper shadow-soft"
        >
          {tone === 'paid' ? (
            <CircleCheck size={18} aria-hidden className="mt-px shrink-0" />
          ) : (
            <CircleAlert size={18} aria-hidden className="mt-px shrink-0" />
          )}
          <span className="min-w-0 wrap-anywhere">{text}</span>
          <button
            type="button"
            aria-label={t('Dismiss')}
            className="rounded-md p-0.5 focus-visible:outline-paper"
            onClick={() => dismissToast(id)}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
