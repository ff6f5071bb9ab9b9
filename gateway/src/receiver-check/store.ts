import { after } from '../kit/clock.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { type Id, isUuid, newId } from '../kit/ids.ts';
import { uriOf } from '../kit/web-address.ts';
import type { Endpoint } from '../webhooks/endpoints/endpoints.ts';
import { webhookErrors } from '../webhooks/errors.ts';
import { plannedExchanges } from './check.ts';
import { type Findings, nothingFound } from './report.ts';

export type CheckId = Id<'webhook-check'>;

type Check = {
  id: CheckId;
  url: string;
  startedAt: Date;
  finishedAt: Date | null;
  /** Its process died before it was done. */
  stopped: boolean;
  findings: Findings;
};

/** In which every check is done, and past which it has died. */
const deadlineSeconds = 60;
const kept = 10;

const begun: Findings = { ...nothingFound, planned: plannedExchanges };

// By the database's clock: the processes that look at it may have others.
const columns = `id, url, started_at AS "startedAt", finished_at AS "finishedAt", findings,
  (findings->'rules' = '[]' AND (finished_at IS NOT NULL OR deadline < now())) AS stopped`;

/** Notes a check that begins now, and forgets old ones. Throws `check_running` while another one is. */
export async function beginCheck(tx: Tx, endpoint: Pick<Endpoint, 'id' | 'url'>, now: Date): Promise<Check> {
  await tx.query(
    `UPDATE webhook_checks SET finished_at = deadline
     WHERE endpoint_id = $1 AND finished_at IS NULL AND deadline < now()`,
    [endpoint.id],
  );
  const { rows } = await tx.query<Check>(
    `INSERT INTO webhook_checks (id, endpoint_id, url, started_at, deadline, findings)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', $6)
     ON CONFLICT (endpoint_id) WHERE finished_at IS NULL DO NOTHING
     RETURNING ${columns}`,
    [newId(now), endpoint.id, uriOf(endpoint.url), now, deadlineSeconds, begun],
  );
  if (!rows[0]) throw refuse(webhookErrors.check_running);
  await tx.query(
    `DELETE FROM webhook_checks WHERE endpoint_id = $1 AND finished_at IS NOT NULL AND id NOT IN
       (SELECT id FROM webhook_checks WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2)`,
    [endpoint.id, kept],
  );
  return rows[0];
}

/** Writes what was found so far; with `finishedAt` it is the end. */
export async function noteFindings(
  db: Reader,
  id: CheckId,
  findings: Findings,
  finishedAt: Date | null,
): Promise<void> {
  await db.query(
    `UPDATE webhook_checks SET findings = $2, finished_at = $3
     WHERE id = $1 AND finished_at IS NULL AND deadline > now()`,
    [id, findings, finishedAt],
  );
}

/** The last checks of an endpoint, newest first; ten at most. */
export async function listChecks(reader: Reader, endpoint: Pick<Endpoint, 'id'>): Promise<Check[]> {
  const { rows } = await reader.query<Check>(
    `SELECT ${columns} FROM webhook_checks WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2`,
    [endpoint.id, kept],
  );
  return rows;
}

/** One check of an endpoint; anything else is `Not found`. */
export async function findCheck(reader: Reader, endpoint: Pick<Endpoint, 'id'>, id: string): Promise<Check> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<Check>(
    `SELECT ${columns} FROM webhook_checks WHERE endpoint_id = $1 AND id = $2`,
    [endpoint.id, id],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0];
}

/** A check as the API and the dashboard show it. */
export function checkView({ id, url, startedAt, finishedAt, stopped, findings }: Check) {
  const { planned, score, diagnosis, rules, exchanges } = findings;
  return {
    id,
    status: stopped ? ('stopped' as const) : finishedAt ? ('done' as const) : ('running' as const),
    url,
    started_at: startedAt.toISOString(),
    finished_at: (finishedAt ?? (stopped ? after(startedAt, deadlineSeconds) : null))?.toISOString() ?? null,
    planned,
    score,
    diagnosis,
    rules,
    exchanges,
  };
}
