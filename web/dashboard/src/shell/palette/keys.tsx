import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { walkRows } from './rows.ts';
import { onShow, type Shown } from './show.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }));

/** The keys that work on every page, and what they open. */
export function Keys(): ReactNode {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => onShow(setShown), []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (act(event, setShown)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const close = (): void => setShown(undefined);
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={close} />}
      {shown === 'keys' && <KeyList onClose={close} />}
    </Suspense>
  );
}

/** Whether the key did something. */
function act(event: KeyboardEvent, show: (what: Shown) => void): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
    show('palette');
    return true;
  }
  if (ctrlKey || metaKey || altKey || isTyping(event.target)) return false;
  if (key === '?') {
    show('keys');
    return true;
  }
  return key === 'j' ? walkRows(1) : key === 'k' ? walkRows(-1) : false;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const dialog = target.closest('[role=dialog], [role=alertdialog], [role=menu]');
  return (
    target.closest('input, textarea, select, [contenteditable]') !== null ||
    (dialog !== null && !dialog.hasAttribute('data-drawer'))
  );
}
