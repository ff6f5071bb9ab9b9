import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { CloseButton, focusFirstField, veilClass } from './dialog.tsx';
import { useReturnedFocus } from './returned-focus.ts';

export type DrawerProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Beside the title, such as a badge. */
  aside?: ReactNode;
  children: ReactNode;
  /** Stays at the bottom while the rest scrolls. */
  footer?: ReactNode;
  /** The first field gets the focus, where the drawer is there to be filled in. */
  beginsInField?: boolean;
};

/** The detail of a row, at the right, so that the list stays in view. Full width on a phone. */
export function Drawer({
  open,
  onClose,
  title,
  aside,
  children,
  footer,
  beginsInField = false,
}: DrawerProps): ReactNode {
  const focus = useReturnedFocus(beginsInField ? focusFirstField : undefined);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={veilClass} />
        <Radix.Content
          data-drawer=""
          {...focus}
          aria-describedby={undefined}
          className="slide-in fixed inset-y-0 right-0 z-50 flex w-full flex-col border-l border-line bg-paper shadow-soft sm:max-w-xl"
        >
          <div className="flex items-start justify-between gap-3 border-b border-line px-5 py-4">
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <Radix.Title className="min-w-0 text-lg font-semibold wrap-anywhere">{title}</Radix.Title>
              {aside}
            </div>
            <CloseButton />
          </div>
          <section
            aria-label={t('Details')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard
            tabIndex={0}
            className="grid flex-1 content-start gap-6 overflow-y-auto px-5 py-5 -outline-offset-2"
          >
            {children}
          </section>
          {footer !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 max-sm:*:grow">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
