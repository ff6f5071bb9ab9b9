/** The search of an address as it was typed: every value is text. Pages read theirs with the functions here. */
export type RawSearch = Record<string, unknown>;

/** Text of at most `limit` characters, without the space around it; undefined when there is none. */
export function textParam(value: unknown, limit = 200): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim().slice(0, limit) || undefined;
}

/** One of the words, or undefined. */
export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Those of the words that a list with commas contains; undefined when there is none. */
export function choicesParam<T extends string>(value: unknown, choices: readonly T[]): T[] | undefined {
  if (typeof value !== 'string' && !Array.isArray(value)) return undefined;
  const named = typeof value === 'string' ? value.split(',') : value;
  const found = choices.filter((choice) => named.includes(choice));
  return found.length > 0 ? found : undefined;
}

/** A day, `2026-11-20`, or undefined. */
export function dayParam(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}

/** Leaves out what is undefined, so that an address holds only what was chosen. */
export function given<T extends Record<string, unknown>>(
  search: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Reads the search part of an address. */
export function parseSearch(search: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes the search part of an address: lists with commas, nothing for what is empty. */
export function stringifySearch(search: RawSearch): string {
  const entries = Object.entries(search)
    .map(
      ([name, value]) =>
        [name, Array.isArray(value) ? value.join(',') : String(value ?? '')] as [string, string],
    )
    .filter(([, value]) => value !== '');
  const text = new URLSearchParams(entries).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
}
