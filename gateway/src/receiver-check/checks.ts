import type { Logger } from 'pino';
import { getIntegration } from '../identity/integration.ts';
import { ownerName, signingSecrets } from '../identity/keys/keys.ts';
import type { Owner } from '../identity/owner.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { createSender } from '../kit/net/safe-fetch.ts';
import type { Seal } from '../kit/seal.ts';
import type { Endpoint } from '../webhooks/endpoints/endpoints.ts';
import { openHeaders } from '../webhooks/endpoints/headers.ts';
import { reachOf } from '../webhooks/endpoints/reach.ts';
import { signingSecretsSql } from '../webhooks/endpoints/secrets.ts';
import { checkReceiver } from './check.ts';
import { type Findings, nothingFound } from './report.ts';
import type { Receiver } from './run.ts';
import { type CheckId, noteFindings } from './store.ts';

export type ReceiverChecks = {
  /** Runs a check that was noted (`beginCheck`) and committed; whoever waits looks at its row. */
  start(id: CheckId, endpoint: Endpoint, owner: Owner): void;
  /** Ends what is under way; those checks stand as stopped. */
  stop(): Promise<void>;
};

type Deps = { db: Database; seal: Seal; now: Clock; log: Logger; allowPrivate: boolean };

const timeoutMs = 5_000;

/** Receiver checks that this process runs, at most one for an endpoint. */
export function createReceiverChecks(deps: Deps): ReceiverChecks {
  const { db, now, log } = deps;
  // Apart from the deliveries': what is tried here must not wait for them, nor they for it.
  const sender = createSender({ timeoutMs });
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function run(id: CheckId, endpoint: Endpoint, owner: Owner): Promise<void> {
    const receiver = await receiverOf(deps, endpoint, owner);
    const noted = latestOnly((findings: Findings) => noteFindings(db, id, findings, null));
    const findings = await checkReceiver({
      sender,
      receiver,
      now,
      timeoutMs,
      signal: stopping.signal,
      onProgress: noted.give,
    });
    await noted.settled();
    await noteFindings(db, id, stopping.signal.aborted ? withoutVerdict(findings) : findings, now());
  }

  return {
    start(id, endpoint, owner) {
      const work = run(id, endpoint, owner)
        .catch(async (error: unknown) => {
          log.error({ err: error, check: id }, 'a receiver check failed');
          // The database may be what failed; then the check's deadline ends it.
          await noteFindings(db, id, nothingFound, now()).catch(() => {});
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    async stop() {
      stopping.abort();
      await sender.close();
      await Promise.all(running);
    },
  };
}

/** A check without rules counts as stopped. */
function withoutVerdict({ planned, exchanges }: Findings): Findings {
  return { ...nothingFound, planned, exchanges };
}

// Those of test mode alone: what they sign is made up, and must not pass for live events anywhere.
const otherSecretsSql = `
  SELECT secret, 'an old secret of this endpoint' AS whose FROM webhook_old_secrets
  WHERE endpoint_id = $1 AND valid_until <= now()
  UNION ALL
  SELECT secret, 'the secret of the endpoint ' || url FROM webhook_endpoints
  WHERE integration_id = $2 AND mode = 'test' AND id <> $1 AND deleted_at IS NULL`;

async function receiverOf(
  { db, seal, allowPrivate }: Deps,
  endpoint: Endpoint,
  owner: Owner,
): Promise<Receiver> {
  const { rows } = await db.query<{ secrets: Buffer[] }>(
    `SELECT ${signingSecretsSql} AS secrets FROM webhook_endpoints w WHERE w.id = $1`,
    [endpoint.id],
  );
  const others = await db.query<{ secret: Buffer; whose: string }>(otherSecretsSql, [
    endpoint.id,
    owner.integrationId,
  ]);
  const keys = await signingSecrets(db, seal, [owner]);
  const integration = await getIntegration(db, owner.integrationId);
  const headers = openHeaders(seal, endpoint.headers).map(({ name, value }) => [name, value] as const);
  return {
    url: new URL(endpoint.url),
    reach: reachOf(allowPrivate, integration),
    headers: Object.fromEntries(headers),
    integrationId: owner.integrationId,
    signing: {
      secretKey: keys.get(ownerName(owner)) ?? null,
      endpointSecrets: rows[0]!.secrets.map((sealed) => seal.open(sealed)),
    },
    otherSecrets: others.rows.map(({ secret, whose }) => ({ secret: seal.open(secret), whose })),
  };
}

/** Writes one state at a time; of those that come meanwhile only the last. A lost one is made good by the next. */
function latestOnly<T>(write: (value: T) => Promise<void>) {
  let next: { value: T } | undefined;
  let writing: Promise<void> | undefined;
  async function writeAll(): Promise<void> {
    for (let one = take(); one; one = take()) await write(one.value).catch(() => {});
    writing = undefined;
  }
  function take(): { value: T } | undefined {
    const taken = next;
    next = undefined;
    return taken;
  }
  return {
    give(value: T): void {
      next = { value };
      writing ??= writeAll();
    },
    settled: async (): Promise<void> => writing,
  };
}
