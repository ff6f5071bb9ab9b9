import { letter, minuteOf } from '../../identity/mail/letter.ts';
import { queueMailToOperators } from '../../identity/mail/mail.ts';
import { after, type Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { walFault } from '../../operations/wal/state.ts';
import type { WalArchive } from '../../operations/wal-archive/archive.ts';

const everySeconds = 86_400;

/** Mails to all operators, once a day while it lasts, that the WAL of this gateway is not archived. */
export function createWalAlert({
  archive,
  db,
  baseUrl,
  now,
}: {
  archive: WalArchive;
  db: Database;
  baseUrl: string;
  now: Clock;
}): () => Promise<void> {
  const startedAt = now();
  return async () => {
    const state = archive.state();
    if (state === null) return;
    // While no gateway ran nothing could be sent.
    const since = state.kept_until < startedAt.toISOString() ? startedAt.toISOString() : state.kept_until;
    const fault = walFault({ ...state, kept_until: since }, now());
    if (fault === null || (state.mailed_at && after(new Date(state.mailed_at), everySeconds) > now())) return;
    const mail = letter({
      kind: 'backups',
      subject: 'Changes of the database are not archived',
      paragraphs: [
        `What was changed since ${minuteOf(new Date(state.kept_until))} is on the gateway's machine alone.`,
        ...(fault.why === null ? [] : [fault.why]),
      ],
      action: { label: 'See the backups', url: `${baseUrl}/app/operator/backups` },
      closing: 'You get this mail because you are an operator, once a day until it is mended.',
    });
    await transaction(db, (tx) => queueMailToOperators(tx, mail));
    await archive.change({ mailed_at: now().toISOString() });
  };
}
