import type { Scope, Span } from '../../src/kit/trace.ts';

/** A scope that notes the names of its spans when they end, each behind that of its parent. */
export function notedScope(path = '', noted: string[] = []): Scope & { noted: string[] } {
  return {
    noted,
    note: () => {},
    begin(name): Span {
      const own = path === '' ? name : `${path} > ${name}`;
      return {
        ...notedScope(own, noted),
        parent: own,
        end: (how = 'well') => void noted.push(`${own}, ${how}`),
      };
    },
  };
}
