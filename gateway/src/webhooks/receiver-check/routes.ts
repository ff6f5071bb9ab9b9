import type { Console } from '../../identity/console/console.ts';
import type { KeyCalls } from '../api/key-calls.ts';
import { CheckItem, CheckPage } from './answers.ts';
import type { ReceiverChecks } from './checks.ts';

const terms = { may: 'manage webhooks', tags: ['Test mode'] } as const;

/** Whether the receiver behind a test endpoint keeps the rules, by an API key. */
export function receiverCheckRoutes(calls: KeyCalls, checks: ReceiverChecks): void {
  const path = '/test/webhook-endpoints/:id/checks';
  calls.write(
    'POST',
    path,
    {
      ...terms,
      scope: 'check',
      answer: CheckItem,
      operationId: 'startReceiverCheck',
      sdk: 'test.checks.start({id}, {key})',
      summary: 'Check whether a receiver keeps the rules',
      description:
        'Starts to send about fifty deliveries of payments that do not exist, and answers at once. One check of an endpoint runs at a time; it takes less than a minute.',
    },
    (tx, { owner, id }) => checks.begin(tx, owner, id),
  );
  calls.get(
    path,
    {
      ...terms,
      answer: CheckPage,
      operationId: 'listReceiverChecks',
      sdk: 'test.checks.list({id})',
      summary: 'The last ten checks of a receiver, newest first',
      description: 'A check is kept with its report and the deliveries that it made.',
    },
    async ({ owner, id }) => ({ message: 'Receiver checks', data: await checks.list(owner, id) }),
  );
  calls.get(
    `${path}/:check`,
    {
      ...terms,
      answer: CheckItem,
      operationId: 'getReceiverCheck',
      sdk: 'test.checks.get({id}, {check})',
      summary: "A receiver check's progress and report",
      description: '`rules` has each rule with whether the receiver keeps it, and what to change if not.',
    },
    async ({ owner, id, params }) => ({
      message: 'Receiver check',
      data: await checks.find(owner, id, params.check ?? ''),
    }),
  );
}

/** Receiver checks in the dashboard. */
export function receiverCheckConsoleRoutes(dashboard: Console, checks: ReceiverChecks): void {
  const path = '/webhooks/:endpoint/checks';
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
