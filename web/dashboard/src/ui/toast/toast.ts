import { useSyncExternalStore } from 'react';

export type ToastTone = 'paid' | 'lost';
export type ToastNote = { id: number; text: string; tone: ToastTone };

const shownMs = 6_000;
const listeners = new Set<() => void>();
let notes: readonly ToastNote[] = [];
let lastId = 0;

/** Shows a message in the corner for a few seconds. What must be read is shown elsewhere too. */
export function toast(text: string, tone: ToastTone = 'paid'): void {
  lastId += 1;
  const id = lastId;
  show([...notes, { id, text, tone }]);
  setTimeout(() => dismissToast(id), shownMs);
}

export function dismissToast(id: number): void {
  show(notes.filter((note) => note.id !== id));
}

export function useToasts(): readonly ToastNote[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notes,
  );
}

function show(next: readonly ToastNote[]): void {
  notes = next;
  for (const listener of listeners) listener();
}
