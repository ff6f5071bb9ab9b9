import type { Mode } from './scope.ts';

type Place = { integration: string; mode: Mode };

const storedUnder = 'florin.place';

/** The integration and mode that were open last in this browser. */
export function lastPlace(): Place | undefined {
  try {
    const [integration, mode] = localStorage.getItem(storedUnder)?.split('/') ?? [];
    return integration ? { integration, mode: mode === 'live' ? 'live' : 'test' } : undefined;
  } catch {
    return undefined;
  }
}

export function keepPlace({ integration, mode }: Place): void {
  try {
    localStorage.setItem(storedUnder, `${integration}/${mode}`);
  } catch {
    // Storage may be forbidden; the dashboard then opens at the first integration.
  }
}
