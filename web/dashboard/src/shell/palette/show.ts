export type Shown = 'palette' | 'keys';

let listener: ((what: Shown) => void) | undefined;

/** Calls `show` whenever the palette or the list of keys is asked for. Returns what ends that. */
export function onShow(show: (what: Shown) => void): () => void {
  listener = show;
  return () => {
    if (listener === show) listener = undefined;
  };
}

/** Opens the palette, or the list of keys. */
export function show(what: Shown): void {
  listener?.(what);
}

/** The name of the key beside K on this machine. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
