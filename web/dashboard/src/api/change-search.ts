import { given } from './search.ts';

/** The search of the open page with some of it changed; what is undefined or empty is left out of the address. */
export function changeSearch(
  change: Record<string, string | undefined>,
): (search: object) => Record<string, string> {
  return (search) => {
    const changed = Object.entries({ ...search, ...change }).map(([name, value]) => [
      name,
      value || undefined,
    ]);
    return given(Object.fromEntries(changed)) as Record<string, string>;
  };
}
