import { type RefObject, useEffect, useRef, useState } from 'react';

/** The width of an element in pixels, and again whenever it changes; null before it was measured. */
export function useWidth<T extends Element>(): [ref: RefObject<T | null>, width: number | null] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
