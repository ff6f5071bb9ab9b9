import type { Seal } from '../seal.ts';
import type { Database, Reader } from './db.ts';
import { poolOf } from './db.ts';

const carried = Symbol('seal');
type Carrier = { [carried]?: Seal };

/**
 * Lets a database carry the seal of its installation, for code far from where the seal is opened: mails are queued by some
 * twenty writers that seal nothing else.
 */
export function carrySeal(db: Database, seal: Seal): void {
  (db as Carrier)[carried] = seal;
}

/** The seal that the database of this connection carries. Throws when its master key was not opened. */
export function sealOf(reader: Reader): Seal {
  const seal = (poolOf(reader) as Carrier)[carried];
  if (!seal) throw new Error('The master key of this database was not opened');
  return seal;
}
