import type { Console, Written } from '../../identity/console/console.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { orNull } from '../../kit/http/answers.ts';
import { ReplayData } from '../answers/answers.ts';
import { Counted, Replay, ReplayOrNull } from '../answers/console-answers.ts';
import { type Endpoint, findEndpoint } from '../endpoints/endpoints.ts';
import { webhookErrors } from '../errors.ts';
import { countReplay, mostCounted, type ReplayRequest, replayOf, startReplay } from '../replay/replay.ts';
import { webhooksReplayed } from './changes.ts';
import { readReplayBody as readExpectedBody, readReplayQuery } from './console-schema.ts';
import { endpointTerms, type KeyCalls, type WebhookConsoleDeps } from './key-calls.ts';
import { ReplayBody, readReplayBody } from './schema.ts';

const resend = { may: 'resend webhooks' } as const;

function replayRequestOf({ since, only }: { since?: string; only?: ReplayRequest['only'] }): ReplayRequest {
  return { since: since === undefined ? null : new Date(since), only };
}

/** By an API key: sending once more what failed, and for the first time what an endpoint missed. */
export function replayRoutes(calls: KeyCalls, { db, hints }: WebhookConsoleDeps): void {
  calls.write(
    'POST',
    '/webhook-endpoints/:id/replay',
    {
      ...endpointTerms,
      scope: 'replay',
      body: ReplayBody,
      answer: ReplayData,
      operationId: 'startReplay',
      sdk: 'webhookEndpoints.replay({id}, {body}, {key})',
      summary: 'Send what failed once more, and what was missed',
      description:
        'Queues failed deliveries, and those that are held while the endpoint is paused, in their order. Nothing is queued twice. A long replay goes on after the answer: ask for its progress.',
    },
    async (tx, { owner, id, body }) => {
      const endpoint = await findEndpoint(tx, owner, id);
      const wanted = replayRequestOf(readReplayBody(body));
      const counted = await countReplay(tx, endpoint.id, wanted);
      return await begin(tx, hints, endpoint, { ...wanted, counted });
    },
  );

  calls.get(
    '/webhook-endpoints/:id/replay',
    {
      ...endpointTerms,
      answer: orNull(ReplayData),
      operationId: 'getReplay',
      sdk: 'webhookEndpoints.replayProgress({id})',
      summary: "How far an endpoint's last replay came",
      description: 'data is null when there was none.',
    },
    async ({ owner, id }) => {
      const endpoint = await findEndpoint(db, owner, id);
      return { message: 'Replay', data: await replayOf(db, endpoint.id) };
    },
  );
}

/** The same in the dashboard, where a person first sees how many deliveries it would send. */
export function replayConsoleRoutes(dashboard: Console, { db, hints }: WebhookConsoleDeps): void {
  const path = '/webhooks/:endpoint/replay';

  dashboard.get(
    'mode',
    `${path}/preview`,
    { ...resend, answer: Counted },
    async ({ owner, params, query }) => {
      const { id } = await findEndpoint(db, owner, params.endpoint);
      const wanted = replayRequestOf(readReplayQuery(query));
      const counted = await countReplay(db, id, wanted);
      const data = { since: wanted.since?.toISOString() ?? null, ...counted, counted_up_to: mostCounted };
      return { message: 'Failed and missed', data };
    },
  );

  dashboard.get('mode', path, { may: 'read', answer: ReplayOrNull }, async ({ owner, params }) => {
    const { id } = await findEndpoint(db, owner, params.endpoint);
    return { message: 'Replay', data: await replayOf(db, id) };
  });

  dashboard.write(
    'POST',
    'mode',
    path,
    { ...resend, answer: Replay },
    async (tx, { owner, params, body }) => {
      const endpoint = await findEndpoint(tx, owner, params.endpoint);
      const { expected, ...given } = readExpectedBody(body);
      if (endpoint.status === 'disabled') throw refuse(webhookErrors.endpoint_off);
      // Must be the number that the person saw; "more than 100,000" counts as one number.
      const wanted = replayRequestOf(given);
      const counted = await countReplay(tx, endpoint.id, wanted);
      if (counted.count !== expected) throw refuse(webhookErrors.replay_count_changed);
      return await begin(tx, hints, endpoint, { ...wanted, counted });
    },
  );
}

async function begin(
  tx: Tx,
  hints: Hints,
  endpoint: Endpoint,
  wanted: Parameters<typeof startReplay>[3],
): Promise<Written<Replay>> {
  const replay = await startReplay(tx, hints, endpoint, wanted);
  const change = replay.count === 0 ? null : webhooksReplayed(endpoint, replay);
  return { message: 'Deliveries re-queued', data: replay, change };
}
