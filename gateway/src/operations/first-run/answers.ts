import { type Static, Type } from 'typebox';
import { orNull } from '../../kit/http/answers.ts';

// Answers of a restore in the first run.

const text = Type.String();
const count = Type.Integer();
const flag = Type.Boolean();

/** `takes_master_key`: false where the environment or a program gives it, which is then not pasted. */
export const RestoreStart = Type.Object({
  takes_master_key: flag,
  master_key_place: text,
  piece_bytes: count,
});
export type RestoreStart = Static<typeof RestoreStart>;

export const UploadedPiece = Type.Object({ file: text, bytes: count });
export type UploadedPiece = Static<typeof UploadedPiece>;

/** `fault`: why nothing was changed. `done.faults`: what is wrong with the ledger, as it was in the backup. */
export const RestoreProgress = Type.Object({
  state: Type.Enum(['none', 'checking', 'loading', 'failed', 'done']),
  progress: orNull(Type.Object({ tables: count, of_tables: count, rows: count })),
  fault: orNull(text),
  done: orNull(Type.Object({ created_at: text, florin: text, tables: count, rows: count, faults: count })),
});
export type RestoreProgress = Static<typeof RestoreProgress>;
