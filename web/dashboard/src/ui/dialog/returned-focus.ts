import { useRef } from 'react';

/**
 * The props of a dialog that gives the focus back to what had it before, once it closes. Radix knows only the trigger of a
 * dialog, and ours are opened by state. `begin` chooses what has the focus first.
 */
export function useReturnedFocus(begin?: (event: Event) => void): {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
} {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus(event) {
      before.current = document.activeElement;
      begin?.(event);
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}
