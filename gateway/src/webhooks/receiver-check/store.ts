import { emptyFindings, type Findings, plannedExchanges } from '@florin/receiver-check';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type Id, isUuid, newId } from '../../kit/ids.ts';
import { uriOf } from '../../kit/web-address.ts';
import type { Endpoint } from '../endpoints/endpoints.ts';
import { webhookErrors } from '../errors.ts';
import type { CheckItem } from './answers.ts';

export type CheckId = Id<'webhook-check'>;

type Row = {
  id: CheckId;
  url: string;
  startedAt: Date;
  finishedAt: Date | null;
  /** It ended, or its time was up, without a result: its process was stopped or died. */
  stopped: boolean;
  findings: Findings;
};

/** A check as the API and the dashboard show it. */
export type Check = CheckItem & { id: CheckId };

type EndpointRef = Pick<Endpoint, 'id'>;

/** Every check ends within this time; after it an unfinished one counts as stopped. */
const deadlineSeconds = 60;
const kept = 10;

// By the database's clock: processes may have different ones.
const columns = `id, url, started_at AS "startedAt", finished_at AS "finishedAt", findings,
  (findings->'rules' = '[]' AND (finished_at IS NOT NULL OR deadline < now())) AS stopped`;

/** Records a check that begins now, and deletes old ones. Throws `check_running` while another one runs. */
export async function beginCheck(
  tx: Tx,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  now: Date,
): Promise<Check> {
  await tx.query(
    `UPDATE webhook_checks SET finished_at = deadline
     WHERE endpoint_id = $1 AND finished_at IS NULL AND deadline < now()`,
    [id],
  );
  const { rows } = await tx.query<Row>(
    `INSERT INTO webhook_checks (id, endpoint_id, url, started_at, deadline, findings)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second', $6)
     ON CONFLICT (endpoint_id) WHERE finished_at IS NULL DO NOTHING
     RETURNING ${columns}`,
    [newId(now), id, uriOf(url), now, deadlineSeconds, { ...emptyFindings, planned: plannedExchanges }],
  );
  if (!rows[0]) throw refuse(webhookErrors.check_running);
  await tx.query(
    `DELETE FROM webhook_checks WHERE endpoint_id = $1 AND finished_at IS NOT NULL AND id NOT IN
       (SELECT id FROM webhook_checks WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2)`,
    [id, kept],
  );
  return shown(rows[0]);
}

/** Writes what was found so far; `finishedAt` ends the check. */
export async function noteFindings(
  db: Reader,
  id: CheckId,
  { findings, finishedAt }: { findings: Findings; finishedAt: Date | null },
): Promise<void> {
  await db.query(
    `UPDATE webhook_checks SET findings = $2, finished_at = $3
     WHERE id = $1 AND finished_at IS NULL AND deadline > now()`,
    [id, findings, finishedAt],
  );
}

/** The last checks of an endpoint, newest first; ten at most. */
export async function listChecks(reader: Reader, endpoint: EndpointRef): Promise<Check[]> {
  const { rows } = await reader.query<Row>(
    `SELECT ${columns} FROM webhook_checks WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2`,
    [endpoint.id, kept],
  );
  return rows.map(shown);
}

/** One check of an endpoint; anything else is `Not found`. */
export async function findCheck(reader: Reader, endpoint: EndpointRef, id: string): Promise<Check> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<Row>(
    `SELECT ${columns} FROM webhook_checks WHERE endpoint_id = $1 AND id = $2`,
    [endpoint.id, id],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return shown(rows[0]);
}

function shown({ id, url, startedAt, finishedAt, stopped, findings }: Row): Check {
  const end = finishedAt ?? (stopped ? after(startedAt, deadlineSeconds) : null);
  return {
    id,
    status: stopped ? 'stopped' : finishedAt ? 'done' : 'running',
    url,
    started_at: startedAt.toISOString(),
    finished_at: end?.toISOString() ?? null,
    ...findings,
  };
}
