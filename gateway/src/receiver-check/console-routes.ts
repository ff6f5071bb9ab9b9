import type { Console } from '../identity/console/console.ts';
import { CheckItem, CheckPage } from './answers.ts';
import type { ReceiverChecks } from './checks.ts';

const path = '/webhooks/:endpoint/checks';

/** Receiver checks in the dashboard. */
export function receiverCheckConsoleRoutes(dashboard: Console, { checks }: { checks: ReceiverChecks }): void {
  dashboard.write('POST', 'mode', path, { may: 'manage webhooks', answer: CheckItem }, async (tx, call) =>
    checks.begin(tx, call.owner, call.params.endpoint ?? ''),
  );
  dashboard.get('mode', path, { may: 'read', answer: CheckPage }, async ({ owner, params }) => ({
    message: 'Receiver checks',
    data: await checks.list(owner, params.endpoint ?? ''),
  }));
  dashboard.get('mode', `${path}/:check`, { may: 'read', answer: CheckItem }, async ({ owner, params }) => ({
    message: 'Receiver check',
    data: await checks.find(owner, params.endpoint ?? '', params.check ?? ''),
  }));
}
