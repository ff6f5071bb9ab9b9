import { type Static, Type } from 'typebox';
import { Id, orNull, pageSchema, Time } from '../../kit/http/answers.ts';

// The answers of the operators' calls on backups.

const text = Type.String();
const count = Type.Integer();

const BackupView = Type.Object({
  id: Id,
  place: text,
  path: text,
  kind: Type.Enum(['scheduled', 'ordered', 'command']),
  florin: text,
  is_encrypted: Type.Boolean(),
  started_at: Time,
  ended_at: Time,
  /** Null: it failed. */
  bytes: orNull(count),
  sha256: orNull(text),
  fault: orNull(text),
  /** Since when the file is not in the place any more; `is_removed`: as BACKUP_KEEP says. */
  gone_at: orNull(Time),
  is_removed: Type.Boolean(),
});
export type BackupView = Static<typeof BackupView>;
export const BackupPage = pageSchema(BackupView);

const DrillReportView = Type.Object({
  tables: count,
  rows: count,
  accounts: count,
  entries: count,
  stamps: count,
  /** Units of the asset's smallest part. `live`: in the database at the moment of the backup. */
  sums: Type.Array(Type.Object({ mode: text, asset: text, kind: text, live: orNull(text), restored: text })),
  /** Decimals, as networks last showed them. */
  held: Type.Array(Type.Object({ asset: text, owed: text, held: text, difference: text })),
  findings: Type.Array(text),
});

const DrillView = Type.Object({
  place: text,
  path: text,
  started_at: Time,
  ended_at: Time,
  /** Null: all agrees. */
  fault: orNull(text),
  report: orNull(DrillReportView),
  line: orNull(text),
});

export const BackupsView = Type.Object({
  /** Null: BACKUP_TO is not set, and there are no scheduled backups. */
  place: orNull(text),
  is_bucket: Type.Boolean(),
  is_encrypted: Type.Boolean(),
  /** When the next one is due. */
  next_at: orNull(Time),
  /** When the newest good one began. */
  last_good_at: orNull(Time),
  keep: Type.Object({ days: count, weeks: count, months: count }),
  /** 0: backups are not tried. */
  drill_days: count,
  is_running: Type.Boolean(),
  /** What operators asked for and has not begun. */
  ordered: Type.Array(Type.Enum(['backup', 'drill'])),
  faults: Type.Array(
    Type.Object({
      what: Type.Enum(['backup_missing', 'drill_failed', 'drill_missing']),
      since: Time,
      why: orNull(text),
    }),
  ),
  /** Null: there is no WAL of an embedded database in the place. */
  archive: orNull(
    Type.Object({
      /** The newest moment that the database can be restored to. */
      kept_until: Time,
      /** Whether that is longer ago than it may be, and why. */
      is_behind: Type.Boolean(),
      fault: orNull(text),
    }),
  ),
  drill: orNull(DrillView),
  /** The public key that lines of drills are signed with. */
  drill_key: text,
});
export type BackupsView = Static<typeof BackupsView>;
