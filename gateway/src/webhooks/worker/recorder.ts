import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { batched } from '../../kit/db/batch.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { type NoticeDeps, reportDisabled } from './disabled.ts';
import { type Attempt, recordAttempts } from './record.ts';
import { createTally } from './tally.ts';

/** Records attempts, many in one commit, and counts them for the health of their endpoints. */
export type Recorder = {
  /** Resolves with whether it was the next attempt of its delivery. */
  record(attempt: Attempt): Promise<boolean>;
  /** The same in two tries. Never rejects: a delivery whose attempt is not recorded is sent again later. */
  recordSurely(attempt: Attempt): Promise<void>;
  /** Writes what was counted. Never rejects. */
  flush(): Promise<void>;
};

export type RecorderDeps = NoticeDeps & {
  db: Database;
  log: Logger;
  /** Is told of each webhook that was sent and recorded. */
  onSent?: (attempt: Attempt) => void;
};

// An attempt that could not be recorded is still due, and would be sent again as fast as the endpoint answers.
const restMs = 30_000;

const atOnce = 512;
// Nobody waits for an outcome. Of a full queue one comes every 0.1 ms, and a commit takes two: twenty in a statement, which
// take more than twice the CPU of a hundred.
const gatherMs = 10;

export function createRecorder(deps: RecorderDeps, stopping: AbortSignal): Recorder {
  const { db, log } = deps;
  const tally = createTally(db, log);
  const recordDeps = { db, onDisabled: (tx: Tx, endpoints: string[]) => reportDisabled(tx, endpoints, deps) };
  const record = batched<Attempt, boolean>(recordAll, atOnce, gatherMs);

  async function recordAll(attempts: Attempt[]): Promise<(boolean | Error)[]> {
    const recorded = await recordAttempts(recordDeps, attempts);
    attempts.forEach((each, index) => {
      const { requestHeaders, injectedFault } = each;
      if (!recorded[index] || requestHeaders === null || injectedFault !== null) return;
      tally.count(each);
      deps.onSent?.(each);
    });
    return recorded;
  }

  return {
    record,
    async recordSurely(attempt) {
      try {
        await record(attempt);
      } catch {
        await record(attempt).catch(async (error) => {
          log.warn({ err: error }, 'a webhook outcome could not be recorded');
          await delay(restMs, undefined, { signal: stopping, ref: false }).catch(() => {});
        });
      }
    },
    flush: tally.flush,
  };
}
