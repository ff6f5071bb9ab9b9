import { Type } from 'typebox';
import type { Answered, Console, Written } from '../../identity/console/console.ts';
import type { Owner } from '../../identity/owner.ts';
import { assertTest } from '../../identity/test-mode.ts';
import type { Tx } from '../../kit/db/db.ts';
import { named } from '../../kit/http/answers.ts';
import { fieldReader } from '../../kit/http/fields.ts';
import { type Chaos, ChaosData, faultKinds, noChaos } from '../answers/chaos-answers.ts';
import { findEndpoint, setChaos } from '../endpoints/endpoints.ts';
import { assertFlorins } from '../endpoints/events-of-format.ts';
import { chaosSet } from './changes.ts';
import type { KeyCalls, WebhookConsoleDeps } from './key-calls.ts';

const ChaosBody = Type.Partial(
  ChaosData,
  named('ChaosInput', 'The faults to inject; absent ones are off, and `{}` ends them all.'),
);
const readChaos = fieldReader(ChaosBody);

const terms = { tags: ['Test mode'], may: 'manage webhooks', answer: ChaosData } as const;

/** Reading and setting which faults are injected on the way to a test endpoint, by an API key. */
export function chaosRoutes(calls: KeyCalls, deps: WebhookConsoleDeps): void {
  const path = '/test/webhook-endpoints/:id/chaos';

  calls.get(
    path,
    {
      ...terms,
      operationId: 'getChaos',
      sdk: 'test.chaos.get({id})',
      summary: 'What goes wrong on the way to a test endpoint',
      description: 'The faults that are injected, in percent of the attempts.',
    },
    ({ owner, id }) => show(deps, owner, id),
  );

  calls.write(
    'PUT',
    path,
    {
      ...terms,
      scope: 'chaos',
      body: ChaosBody,
      operationId: 'setChaos',
      sdk: 'test.chaos.set({id}, {body}, {key})',
      summary: 'Let things go wrong on the way to a test endpoint',
      description: 'Each in so many of a hundred attempts. What is left out is off; {} ends it all.',
    },
    (tx, { owner, id, body }) => setFaults(tx, deps, { owner, id, body }),
  );
}

/** The same in the dashboard. */
export function chaosConsoleRoutes(dashboard: Console, deps: WebhookConsoleDeps): void {
  const path = '/webhooks/:endpoint/chaos';

  dashboard.get('mode', path, { may: 'read', answer: ChaosData }, ({ owner, params }) =>
    show(deps, owner, params.endpoint),
  );

  dashboard.write(
    'PUT',
    'mode',
    path,
    { may: 'manage webhooks', answer: ChaosData },
    (tx, { owner, params, body }) => setFaults(tx, deps, { owner, id: params.endpoint, body }),
  );
}

async function show(
  { db }: WebhookConsoleDeps,
  owner: Owner,
  id: string | undefined,
): Promise<Answered<Chaos>> {
  assertTest(owner.mode);
  const { chaos } = await findEndpoint(db, owner, id);
  return { message: 'Chaos', data: chaos ?? noChaos };
}

async function setFaults(
  tx: Tx,
  { hints, now }: WebhookConsoleDeps,
  { owner, id, body }: { owner: Owner; id: string | undefined; body: unknown },
): Promise<Written<Chaos>> {
  assertTest(owner.mode);
  const endpoint = await findEndpoint(tx, owner, id);
  assertFlorins(endpoint, 'chaos');
  const chaos: Chaos = { ...noChaos, ...readChaos(body) };
  const isOn = faultKinds.some((kind) => chaos[kind] > 0);
  await setChaos(tx, hints, endpoint.id, { chaos: isOn ? chaos : null, now: now() });
  return {
    message: isOn ? 'Chaos set' : 'Chaos ended',
    data: isOn ? chaos : noChaos,
    change: chaosSet(endpoint, isOn ? chaos : null),
  };
}
