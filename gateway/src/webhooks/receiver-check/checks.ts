import { checkReceiver, emptyFindings, type Findings, type Receiver } from '@florin/receiver-check';
import type { Logger } from 'pino';
import type { Written } from '../../identity/console/console.ts';
import { identityErrors } from '../../identity/errors.ts';
import { getIntegration } from '../../identity/integration.ts';
import { ownerName, signingSecrets } from '../../identity/keys/keys.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import { batched } from '../../kit/db/batch.ts';
import { afterCommit, type Database, type Reader, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { createHttpSender, type HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import { checkStarted } from '../api/changes.ts';
import { type Endpoint, findEndpoint } from '../endpoints/endpoints.ts';
import { assertFlorins } from '../endpoints/events-of-format.ts';
import { openHeaders } from '../endpoints/headers.ts';
import { type ReachTerms, reachOf } from '../endpoints/reach.ts';
import { openSigning, signingSecretsSql } from '../endpoints/secrets.ts';
import { sealedOldSecrets, sealedSecrets } from '../endpoints/sign.ts';
import type { CheckItem } from './answers.ts';
import { beginCheck, type CheckId, findCheck, listChecks, noteFindings } from './store.ts';

/** Checks of receivers behind test endpoints; each call refuses live mode (`test_mode_only`). */
export type ReceiverChecks = {
  /** Begins a check that runs once `tx` is committed. Throws `check_running`. */
  begin(tx: Tx, owner: Owner, endpoint: string): Promise<Written<CheckItem>>;
  /** The last ten checks of an endpoint, newest first. */
  list(owner: Owner, endpoint: string): Promise<{ items: CheckItem[]; next_cursor: null }>;
  find(owner: Owner, endpoint: string, check: string): Promise<CheckItem>;
  /** Ends the checks that are running; they are `stopped` then. */
  stop(): Promise<void>;
};

type Deps = ReachTerms & { db: Database; seal: Seal; now: Clock; log: Logger };

const timeoutMs = 5_000;

/** Receiver checks of this process, at most one for each endpoint. */
export function createReceiverChecks(deps: Deps): ReceiverChecks {
  const { db, now, log } = deps;
  // Checks have a sender of their own, so that deliveries and checks do not wait for each other.
  const sender = createHttpSender({ timeoutMs });
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function run(id: CheckId, endpoint: Endpoint, owner: Owner): Promise<void> {
    const { signal } = stopping;
    // One state is written at a time; of the states that follow meanwhile, only the last is written.
    const note = batched(async (states: { findings: Findings; finishedAt: Date | null }[]) => {
      for (const state of states.slice(-1)) await noteFindings(db, id, state);
      return states.map(() => undefined);
    });
    const findings = await checkReceiver({
      receiver: await receiverOf(deps, sender, endpoint, owner),
      now,
      signal,
      // A state that could not be written is replaced by the next one.
      onProgress: (findings) => void note({ findings, finishedAt: null }).catch(() => {}),
    });
    const { planned, exchanges } = findings;
    // A check without rules counts as stopped.
    const end = signal.aborted ? { ...emptyFindings, planned, exchanges } : findings;
    await note({ findings: end, finishedAt: now() });
  }

  function start(id: CheckId, endpoint: Endpoint, owner: Owner): void {
    const work = run(id, endpoint, owner)
      .catch(async (error: unknown) => {
        log.error({ err: error, check: id }, 'a receiver check failed');
        // If the database failed, the deadline ends the check.
        await noteFindings(db, id, { findings: emptyFindings, finishedAt: now() }).catch(() => {});
      })
      .finally(() => running.delete(work));
    running.add(work);
  }

  return {
    async begin(tx, owner, id) {
      const endpoint = await testEndpoint(tx, owner, id);
      assertFlorins(endpoint, 'endpoint');
      const check = await beginCheck(tx, endpoint, now());
      afterCommit(tx, () => start(check.id, endpoint, owner));
      return { message: 'Receiver check started', data: check, change: checkStarted(endpoint, check.id) };
    },
    async list(owner, id) {
      return { items: await listChecks(db, await testEndpoint(db, owner, id)), next_cursor: null };
    },
    find: async (owner, id, check) => await findCheck(db, await testEndpoint(db, owner, id), check),
    async stop() {
      stopping.abort();
      await sender.close();
      await Promise.all(running);
    },
  };
}

async function testEndpoint(reader: Reader, owner: Owner, id: string): Promise<Endpoint> {
  if (owner.mode !== 'test') throw refuse(identityErrors.test_mode_only);
  return await findEndpoint(reader, owner, id);
}

// Only secrets of test mode: what the check signs must never pass for a live event.
const otherSecretsSql = `
  SELECT id, true AS old, secret, 'an old secret of this endpoint' AS whose FROM webhook_old_secrets
  WHERE endpoint_id = $1 AND valid_until <= now()
  UNION ALL
  SELECT id, false, secret, 'the secret of the endpoint ' || url FROM webhook_endpoints
  WHERE integration_id = $2 AND mode = 'test' AND id <> $1 AND deleted_at IS NULL AND channel = 'webhook'`;

async function receiverOf(
  deps: Deps,
  sender: HttpSender,
  endpoint: Endpoint,
  owner: Owner,
): Promise<Receiver> {
  const { db, seal } = deps;
  const own = await db.query<{ secrets: Buffer[] }>(
    `SELECT ${signingSecretsSql} AS secrets FROM webhook_endpoints w WHERE w.id = $1`,
    [endpoint.id],
  );
  const others = await db.query<{ id: string; old: boolean; secret: Buffer; whose: string }>(
    otherSecretsSql,
    [endpoint.id, owner.integrationId],
  );
  const keys = await signingSecrets(db, seal, [owner]);
  const target = {
    url: new URL(endpoint.url),
    reach: reachOf(deps, {
      integration: await getIntegration(db, owner.integrationId),
      mode: owner.mode,
    }),
  };
  return {
    send: (request) => sender.send({ ...request, ...target }),
    timeoutMs,
    headers: Object.fromEntries(
      openHeaders(seal, endpoint.id, endpoint.headers).map(({ name, value }) => [name, value]),
    ),
    integrationId: owner.integrationId,
    signing: {
      secretKey: keys.get(ownerName(owner)) ?? null,
      endpointSecrets: openSigning(seal, oneRow(own, 'secrets of a checked endpoint').secrets),
    },
    otherSecrets: others.rows.map(({ id, old, secret, whose }) => ({
      secret: seal.open(secret, (old ? sealedOldSecrets : sealedSecrets).at(id)),
      whose,
    })),
  };
}
