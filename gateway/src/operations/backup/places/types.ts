import type { Readable } from 'node:stream';

/** One file of a place. `path` has `/` between its parts and is relative to the place; `at` is when it was written. */
export type Placed = { path: string; bytes: number; at: Date };

/**
 * Where backups are kept: a directory or a bucket. A file is either there with all its bytes or not there at all.
 * Every call throws an `Error` with a text for people when the place cannot be reached or refuses.
 */
export type BackupPlace = {
  /** For people and records, without secrets: `/mnt/backups` or `s3://bucket/prefix`. */
  name: string;
  /**
   * Writes a file whose length need not be known, with bounded memory, and returns its bytes. It gets its name when
   * all of it is there, and replaces a file of that name. When `from` fails, nothing is left.
   */
  put(path: string, from: Readable): Promise<number>;
  /** Reads a file; throws `NotPlaced` when there is none. */
  get(path: string): Promise<Readable>;
  /** The files whose path begins with `folder/`, by path; with an empty `folder`, all files. */
  list(folder: string): Promise<Placed[]>;
  /** Removes files; those that are not there are no error. */
  remove(paths: readonly string[]): Promise<void>;
};
