import { gatewayActor, recordChange } from '../../identity/audit/audit-log.ts';
import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { endpointDisabledLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { endpointSubject } from '../endpoints/endpoints.ts';
import { type LastFailure, lastFailures } from '../endpoints/last-failure.ts';
import { disabledBody } from '../events/body.ts';
import { endpointDisabled } from '../events/event-types.ts';
import { insertEvents } from '../events/outbox.ts';

export type NoticeDeps = { hints: Hints; now: Clock; dashboardUrl: string };

type DisabledRow = {
  id: EndpointId;
  url: string;
  mode: Mode;
  disabled_reason: string;
  failing_since: Date;
  integration_id: IntegrationId;
  integration: string;
};

/**
 * Reports webhook endpoints that were disabled in this transaction, once each: by mail to everyone who may activate them, by an
 * event to the integration's other endpoints, and to the audit log.
 */
export async function reportDisabled(tx: Tx, endpoints: readonly string[], deps: NoticeDeps): Promise<void> {
  const { rows } = await tx.query<DisabledRow>(
    `SELECT w.id, w.url, w.mode, w.disabled_reason, w.failing_since, w.integration_id, i.name AS integration
     FROM webhook_endpoints w JOIN integrations i ON i.id = w.integration_id
     WHERE w.id = ANY ($1) AND w.channel = 'webhook'`,
    [endpoints],
  );
  const failures = await lastFailures(
    tx,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    await writeLetters(tx, row, failures.get(row.id), deps.dashboardUrl);
    await reportToOthers(tx, row, deps);
    const change = {
      action: 'disabled a webhook endpoint',
      subject: endpointSubject(row.id),
      before: { status: 'active' },
      after: { status: 'disabled', reason: row.disabled_reason, url: row.url, mode: row.mode },
      integrationId: row.integration_id,
    };
    await recordChange(tx, gatewayActor, change, deps.now());
  }
}

async function writeLetters(
  tx: Tx,
  row: DisabledRow,
  failure: LastFailure | undefined,
  dashboardUrl: string,
): Promise<void> {
  const letter = endpointDisabledLetter({
    integration: row.integration,
    mode: row.mode,
    address: row.url,
    why: row.disabled_reason,
    failingSince: row.failing_since,
    lastFailure: failure ?? null,
    url: `${dashboardUrl}i/${row.integration_id}/${row.mode}/webhooks`,
  });
  await queueMail(tx, { to: await addressesOf(tx, row.integration_id, 'manage webhooks'), ...letter });
}

/** The event has no reference, and sequence 0: it is of no payment or payout. */
async function reportToOthers(tx: Tx, row: DisabledRow, { hints, now }: NoticeDeps): Promise<void> {
  const { integration_id: integrationId, mode } = row;
  const at = now();
  const id = newId<'event'>(at);
  const endpoint = { id: row.id, url: row.url, reason: row.disabled_reason, failingSince: row.failing_since };
  const body = disabledBody(id, { integrationId, endpoint, at });
  const subject = { kind: 'endpoint', id: row.id } as const;
  await insertEvents(tx, hints, [
    { id, integrationId, mode, type: endpointDisabled, at, sequence: 0, body, subject, onlyEndpointId: null },
  ]);
}
