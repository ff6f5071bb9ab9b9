import { gatewayActor, recordChange } from '../identity/audit-log.ts';
import { queueMail } from '../identity/mail.ts';
import { recipientsWho } from '../identity/recipients.ts';
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
    const letter = letterOf(row, `${dashboardUrl}i/${row.integration_id}/${row.mode}/webhooks`);
    for (const to of await recipientsWho(tx, row.integration_id, 'manage webhooks')) {
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

function letterOf({ url, mode, integration, disabled_reason }: DisabledRow, page: string) {
  return {
    subject: `${integration}: webhooks to ${new URL(url).host} were turned off`,
    text: [
      `Florin no longer sends ${mode} webhooks of ${integration} to ${url}`,
      '',
      `${disabled_reason}. Payments go on as before, but your server does not hear of them.`,
      '',
      'What to do: mend the receiver, activate the endpoint again, and re-send what failed meanwhile:',
      page,
    ].join('\n'),
  };
}
