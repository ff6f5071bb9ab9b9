import { letter, minuteOf } from '../../identity/mail/letter.ts';
import { queueMailToOperators } from '../../identity/mail/mail.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { noteMailed } from '../../operations/backup-records/records.ts';
import type { BackupFault } from '../../operations/backup-records/schedule.ts';

const everySeconds = 86_400;

const words: Record<BackupFault['what'], { subject: string; text: string }> = {
  backup_missing: { subject: 'No backup is made', text: 'No backup of the database was made since' },
  drill_failed: { subject: 'A backup is not right', text: 'A backup was tried, and failed, at' },
  drill_missing: {
    subject: 'Backups are not tried',
    text: 'No backup was tried as BACKUP_DRILL says. The role of MIGRATE_DATABASE_URL needs CREATEDB for it. It was due at',
  },
};

/** Mails each fault to all operators, once a day while it lasts. */
export async function mailBackupFaults(
  db: Database,
  faults: readonly BackupFault[],
  { baseUrl, now }: { baseUrl: string; now: Date },
): Promise<void> {
  for (const { what, since, why } of faults) {
    const task = what === 'backup_missing' ? 'backup' : 'drill';
    await transaction(db, async (tx) => {
      if (!(await noteMailed(tx, { task, now, everySeconds }))) return;
      const { subject, text } = words[what];
      const mail = letter({
        kind: 'backups',
        subject,
        paragraphs: [`${text} ${minuteOf(since)}.`, ...(why === null ? [] : [why])],
        action: { label: 'See the backups', url: `${baseUrl}/app/operator/backups` },
        closing: 'You get this mail because you are an operator, once a day until it is mended.',
      });
      await queueMailToOperators(tx, mail);
    });
  }
}
