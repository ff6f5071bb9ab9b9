import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { useReturnedFocus } from './returned-focus.ts';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One or two sentences below the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the end, the main one last. */
  footer?: ReactNode;
  wide?: boolean;
};

export const veilClass = 'appear fixed inset-0 z-50 bg-veil';

/** A window over the page that keeps the focus until it closes. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  wide = false,
}: DialogProps): ReactNode {
  const focus = useReturnedFocus(focusFirstField);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={veilClass} />
        <Radix.Content
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={clsx(
            'appear fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2',
            '-translate-y-1/2 flex-col rounded-xl border border-line bg-surface shadow-soft',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-3 px-5 pt-5">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            <CloseButton />
          </div>
          <div className="grid gap-4 overflow-y-auto px-5 pt-2 pb-5">
            {description !== undefined && (
              <Radix.Description className="text-sm text-quiet">{description}</Radix.Description>
            )}
            {children}
          </div>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4">{footer}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the first field, where there is one, rather than the button that closes. */
export function focusFirstField(event: Event): void {
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement)) return;
  const field = content.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** The button that closes a dialog or drawer. */
export function CloseButton(): ReactNode {
  return (
    <Radix.Close
      aria-label={t('Close')}
      className="-mt-1 -mr-2 inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-quiet hover:bg-sunken hover:text-ink"
    >
      <X size={18} aria-hidden />
    </Radix.Close>
  );
}
