import type { Schema, SchemaPart } from './schema.ts';

/**
 * What of a schema statements that were written for `before` may not find, or be refused by, in `after`. Each is one line
 * that begins with the name of the part. Nothing: a version that knows `before` alone can work on `after`.
 */
export function contractions(before: Schema, after: Schema): string[] {
  const isNew = (part: SchemaPart) => !before.has(`relation ${part.of}.${part.of}`);
  const areNew = (part: SchemaPart) =>
    part.columns.length > 0 && part.columns.every((name) => !before.has(`column ${part.of}.${name}`));
  const found: string[] = [];
  for (const [key, part] of before) {
    const now = after.get(key);
    const fault = now ? changeOf(part, now) : lossOf(part);
    if (fault !== null) found.push(`${key} ${fault}`);
  }
  for (const [key, part] of after) {
    // A new table, or a rule about new columns alone, is nothing to statements that do not name them.
    if (before.has(key) || isNew(part) || (part.kind !== 'column' && areNew(part))) continue;
    const fault = additionOf(part);
    if (fault !== null) found.push(`${key} ${fault}`);
  }
  return found.sort();
}

function lossOf({ kind, definition, unique }: SchemaPart): string | null {
  // Slower, and otherwise the same.
  if (kind === 'index' && !unique) return null;
  const relaxes = kind === 'constraint' && (definition.startsWith('CHECK') || isPlainReference(definition));
  return relaxes ? null : 'is gone';
}

const isPlainReference = (definition: string): boolean =>
  definition.startsWith('FOREIGN KEY') && !definition.includes('ON DELETE');

function changeOf(was: SchemaPart, now: SchemaPart): string | null {
  if (was.kind === 'index' && !was.unique && !now.unique) return null;
  if (was.definition !== now.definition && !(was.kind === 'constraint' && isWidened(was, now)))
    return `was ${was.definition}, and is ${now.definition}`;
  if (was.kind !== 'column') return null;
  if (!was.required && now.required) return 'has to have a value';
  if (was.required && !now.required) return 'may have no value, which the version before does not expect';
  if (was.given !== null && was.given !== now.given)
    return `was ${was.given} by default, and is ${now.given}`;
  return null;
}

/** Whether a list of allowed values has all that it had. */
function isWidened(was: SchemaPart, now: SchemaPart): boolean {
  const [one, other] = [was, now].map(({ definition }) =>
    /^CHECK \(\((\w+ = ANY) \(ARRAY\[(.*)\]\)\)\)$/.exec(definition),
  );
  if (!one || !other || one[1] !== other[1]) return false;
  const allowed = new Set(other[2]?.split(', '));
  return one[2]?.split(', ').every((value) => allowed.has(value)) ?? false;
}

function additionOf({ kind, required, given, unique, definition }: SchemaPart): string | null {
  if (kind === 'column' && required && given === null) return 'is new and has to have a value';
  if (kind === 'constraint' || kind === 'trigger' || (kind === 'index' && unique))
    return `is new: ${definition}`;
  return null;
}
