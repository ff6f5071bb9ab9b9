import { gatewayActor, recordChange } from '../identity/audit-log.ts';
import { queueMail } from '../identity/mail.ts';
import { endpointDisabledLetter } from '../identity/mail-texts.ts';
import { addressesOf } from '../identity/people.ts';
import type { Mode } from '../identity/service.ts';
import type { Clock } from '../kit/clock.ts';
import type { Tx } from '../kit/db.ts';
import { endpointSubject } from './changes.ts';

export type NoticeDeps = { now: Clock; dashboardUrl: string };

type DisabledRow = {
  id: string;
  url: string;
  mode: Mode;
  disabled_reason: string;
  integration_id: string;
  integration: string;
};

/**
 * Writes to everyone who may mend them about endpoints that were disabled in this transaction, and notes it in
 * the audit log: who is told is exactly told of what happened.
 */
export async function tellOfDisabled(
  tx: Tx,
  endpoints: readonly string[],
  { now, dashboardUrl }: NoticeDeps,
): Promise<void> {
  const { rows } = await tx.query<DisabledRow>(
    `SELECT w.id, w.url, w.mode, w.disabled_reason, w.integration_id, i.name AS integration
     FROM webhook_endpoints w JOIN integrations i ON i.id = w.integration_id WHERE w.id = ANY ($1)`,
    [endpoints],
  );
  for (const row of rows) {
    const letter = endpointDisabledLetter({
      integration: row.integration,
      mode: row.mode,
      address: row.url,
      why: row.disabled_reason,
      url: `${dashboardUrl}i/${row.integration_id}/${row.mode}/webhooks`,
    });
    for (const to of await addressesOf(tx, row.integration_id, 'manage webhooks')) {
      await queueMail(tx, { to, ...letter });
    }
    const change = {
      action: 'disabled a webhook endpoint',
      subject: endpointSubject(row.id),
      before: { status: 'active' },
      after: { status: 'disabled', reason: row.disabled_reason, url: row.url, mode: row.mode },
      integrationId: row.integration_id,
    };
    await recordChange(tx, gatewayActor, change, now());
  }
}
