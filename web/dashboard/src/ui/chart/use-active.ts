import { useState } from 'react';

/** The selected point of a chart: the last one, which is now, until another is pointed at. */
export function useActive(count: number): [active: number, setActive: (index: number) => void] {
  const [chosen, setChosen] = useState<number | null>(null);
  return [Math.min(chosen ?? count - 1, count - 1), setChosen];
}
