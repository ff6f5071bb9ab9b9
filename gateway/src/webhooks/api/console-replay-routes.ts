import type { Console } from '../../identity/console/console.ts';
import { refuse } from '../../kit/errors.ts';
import { findEndpoint } from '../endpoints/endpoints.ts';
import { webhookErrors } from '../errors.ts';
import { countReplay, mostCounted, type ReplayWish, replayOf, startReplay } from '../replay/replay.ts';
import { webhooksReplayed } from './changes.ts';
import { Counted, Replay, ReplayOrNull } from './console-answers.ts';
import { readReplayBody, readReplayQuery } from './console-schema.ts';
import type { WebhookConsoleDeps } from './own-write.ts';

const resend = { may: 'resend webhooks' } as const;

function wishOf({ since, only }: { since?: string; only?: ReplayWish['only'] }): ReplayWish {
  return { since: since === undefined ? null : new Date(since), only };
}

/** Sending once more what failed, and for the first time what was missed: how many, the doing of it, its progress. */
export function replayConsoleRoutes(dashboard: Console, { db, hints }: WebhookConsoleDeps): void {
  dashboard.get(
    'mode',
    '/webhooks/:endpoint/replay/preview',
    { ...resend, answer: Counted },
    async ({ owner, params, query }) => {
      const { id } = await findEndpoint(db, owner, params.endpoint);
      const wish = wishOf(readReplayQuery(query));
      const counted = await countReplay(db, id, wish);
      const data = { since: wish.since?.toISOString() ?? null, ...counted, counted_up_to: mostCounted };
      return { message: 'Failed and missed', data };
    },
  );

  dashboard.get(
    'mode',
    '/webhooks/:endpoint/replay',
    { may: 'read', answer: ReplayOrNull },
    async ({ owner, params }) => {
      const { id } = await findEndpoint(db, owner, params.endpoint);
      return { message: 'Replay', data: await replayOf(db, id) };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/webhooks/:endpoint/replay',
    { ...resend, answer: Replay },
    async (tx, { owner, params, body }) => {
      const endpoint = await findEndpoint(tx, owner, params.endpoint);
      const { expected, ...wish } = readReplayBody(body);
      if (endpoint.status === 'disabled') throw refuse(webhookErrors.endpoint_off);
      // The number that the person saw; "more than 100,000" counts as one number.
      const wanted = wishOf(wish);
      const counted = await countReplay(tx, endpoint.id, wanted);
      if (counted.count !== expected) throw refuse(webhookErrors.replay_count_changed);
      const replay = await startReplay(tx, hints, endpoint, { ...wanted, counted });
      const change = replay.count === 0 ? null : webhooksReplayed(endpoint, replay);
      return { message: 'Deliveries re-queued', data: replay, change };
    },
  );
}
