import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export type TooltipProps = {
  text: ReactNode;
  /** One element that takes focus. */
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
};

const openAfterMs = 300;

/** A text beside an element while it is hovered or focused. It never holds anything that is not said elsewhere. */
export function Tooltip({ text, children, side = 'top' }: TooltipProps): ReactNode {
  return (
    <Radix.Provider delayDuration={openAfterMs}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="appear z-50 max-w-72 rounded-lg bg-ink px-2.5 py-1.5 text-sm text-paper"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
