import { useSyncExternalStore } from 'react';
import type { Zone } from './time-text.ts';

const storedUnder = 'florin.zone';
const listeners = new Set<() => void>();
let zone: Zone = readZone();

function readZone(): Zone {
  try {
    return localStorage.getItem(storedUnder) === 'utc' ? 'utc' : 'local';
  } catch {
    return 'local';
  }
}

/** Shows every time in this zone from now on, here and after a reload. */
export function setZone(next: Zone): void {
  zone = next;
  try {
    localStorage.setItem(storedUnder, next);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function useZone(): Zone {
  return useSyncExternalStore(subscribe, () => zone);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
