import type { Progress } from '../backup/progress.ts';

/** What is to be restored, and by whose link. */
export type RestoreOrder = {
  tokenHash: string;
  /** A file of this machine, or the name of a backup in BACKUP_TO. */
  path: string;
  /** Identities of age, for an encrypted backup; kept nowhere. */
  identities: readonly string[];
  /** The master keys of the backup; null: those that the gateway has. */
  masterKey: string | null;
};

/** How far a restore is. `fault`: why it ended without a change, as a text for people. */
export type RestoreState = {
  tokenHash: string;
  state: 'checking' | 'loading' | 'failed' | 'done';
  progress: Progress | null;
  fault: string | null;
  done: { created_at: string; florin: string; tables: number; rows: number; faults: number } | null;
};

/** Where backups are, and the names of the newest, the newest first. */
export type PlacedBackups = { place: string; names: string[] };

/** Restores a backup into the database of a fresh installation, once. */
export type Restorer = {
  /** Begins; false: another restore is under way, or has been done. */
  begin(order: RestoreOrder): Promise<boolean>;
  /** How far the last one is; null: none was begun. */
  state(): Promise<RestoreState | null>;
  /** The newest backups in the place of BACKUP_TO; null: it is not set. Throws where the place does not answer. */
  placed(): Promise<PlacedBackups | null>;
};
