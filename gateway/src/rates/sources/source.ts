/** What a source said of a pair: `value` as it stood there, and when it was so, if the source says that itself. */
export type Heard = { currency: string; priceCurrency: string; value: unknown; at?: Date };

/** Reads an address; throws a reason that operators can read, unless it answers 200 with a text of moderate size. */
type GetText = (url: string) => Promise<string>;

/** A place that says what coins or price currencies are worth. */
export type RateSource = {
  /** As it is stored, shown and kept with quotes; without the keys that an address may hold. */
  name: string;
  /** False: it says nothing of coins, and counts only in crosses. */
  quotesCoins: boolean;
  /** How long it is left alone after an answer, or after none. */
  everySeconds: number;
  /** Throws a reason where it does not answer as it should. */
  ask(get: GetText): Promise<Heard[]>;
};

/** The price currencies in which exchanges trade coins; all others are crossed through USD. */
export const tradedIn: readonly string[] = ['USD', 'EUR', 'GBP'];

/** What stands under `key` in a value of unknown shape. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/** The same, where something must stand. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = at(value, ...path);
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new Error('answered in another form');
  return found as Record<string, unknown>;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('answered no JSON');
  }
}
