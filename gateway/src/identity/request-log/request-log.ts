import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { after, type Clock } from '../../kit/clock.ts';
import { type Database, transaction, withCommit } from '../../kit/db/db.ts';
import { type KeyOwner, ownerName } from '../keys/keys.ts';
import { packBodies } from './request-bodies.ts';
import { type Exchange, type KeptBody, keepBody, recordOf } from './request-record.ts';

declare module 'fastify' {
  interface FastifyRequest {
    answerBody?: KeptBody;
  }
}

/** Logs the requests of merchants' keys, without delaying them. */
export type RequestLog = {
  /** Notes every request that a key makes of this instance's routes. Call it before the routes are registered. */
  observe(app: FastifyInstance): void;
  start(): void;
  /** Writes the rest, if the database can be reached. */
  stop(): Promise<void>;
  /** Writes everything that was noted so far. */
  flush(): Promise<void>;
  /** How many requests this process could not log. */
  dropped(): number;
};

export type RequestLogDeps = {
  db: Database;
  now: Clock;
  log: Logger;
  /** The most requests that wait in memory. */
  maxWaiting?: number;
};

const rowsAtOnce = 500;
const everyMs = 1_000;
/** The pause between two batches: 1,000 rows a second, as many as one key may ask for. */
const pauseMs = 500;
/** Under a lasting load every batch would warn. */
const secondsBetweenWarnings = 60;

/**
 * A log that is kept in memory until it is written, at most 5,000 requests. Requests that do not fit are counted, and the
 * log shows their number. Without the database, noted requests wait.
 */
export function createRequestLog(deps: RequestLogDeps): RequestLog {
  const { log, now, maxWaiting = 5_000 } = deps;
  const waiting: Exchange[] = [];
  const gaps = new Map<string, Gap>();
  let dropped = 0;
  let nextWarningAt = new Date(0);
  let writtenAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;
  let isStopped = true;

  function note(owner: KeyOwner, exchange: () => Exchange): void {
    if (waiting.length >= maxWaiting) {
      drop(owner, now());
      return;
    }
    waiting.push(exchange());
    if (waiting.length === rowsAtOnce) plan(Math.max(0, writtenAtMs + pauseMs - performance.now()));
  }
  function drop(owner: KeyOwner, at: Date): void {
    dropped += 1;
    const name = ownerName(owner);
    const gap = gaps.get(name);
    if (gap) gap.count += 1;
    else gaps.set(name, { owner, at, count: 1 });
  }
  /** Writes one batch. If that fails, the batch waits again, before newer requests. */
  async function writeBatch(): Promise<void> {
    const batch = waiting.splice(0, rowsAtOnce);
    const missed = [...gaps.values()];
    gaps.clear();
    try {
      await write(deps.db, batch, missed);
    } catch (error) {
      waiting.unshift(...batch);
      for (const late of waiting.splice(maxWaiting)) drop(late.owner, late.at);
      for (const gap of missed) gaps.set(ownerName(gap.owner), addGap(gap, gaps.get(ownerName(gap.owner))));
      throw error;
    }
    if (missed.length > 0 && now() >= nextWarningAt) {
      nextWarningAt = after(now(), secondsBetweenWarnings);
      log.warn({ dropped }, 'requests came faster than the request log could be written');
    }
  }
  const isIdle = () => waiting.length === 0 && gaps.size === 0;

  function plan(delayMs: number): void {
    if (isStopped || underway) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      underway = run();
    }, delayMs);
  }
  async function run(): Promise<void> {
    let next = everyMs;
    try {
      if (!isIdle()) await writeBatch();
      if (waiting.length >= rowsAtOnce) next = pauseMs;
    } catch (error) {
      log.error({ err: error }, 'the request log could not be written, and is tried again');
    }
    underway = undefined;
    writtenAtMs = performance.now();
    plan(next);
  }
  async function flush(): Promise<void> {
    await underway;
    while (!isIdle()) await writeBatch();
  }

  return {
    observe: (app) => observe(app, now, note),
    start() {
      isStopped = false;
      plan(everyMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await flush().catch((error: unknown) => {
        log.error({ err: error, lost: waiting.length }, 'the last requests could not be logged');
      });
    },
    flush,
    dropped: () => dropped,
  };
}

type Gap = { owner: KeyOwner; at: Date; count: number };

function addGap(gap: Gap, later: Gap | undefined): Gap {
  return { ...gap, count: gap.count + (later?.count ?? 0) };
}

type Note = (owner: KeyOwner, exchange: () => Exchange) => void;

function observe(app: FastifyInstance, now: Clock, note: Note): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.apiKey && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
      request.answerBody = keepBody(payload);
    }
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    // A request over the rate limit is not logged.
    const { apiKey: key } = request;
    if (key && reply.statusCode !== 429) {
      const owner = { integrationId: key.integration.id, mode: key.mode };
      note(owner, () => exchangeOf({ owner, keyId: key.id }, request, reply, now()));
    }
    done();
  });
}

function exchangeOf(
  { owner, keyId }: { owner: KeyOwner; keyId: string },
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Exchange {
  const { payment_reference: reference } = (request.params ?? {}) as { payment_reference?: string };
  const durationMs = reply.elapsedTime;
  return {
    owner,
    keyId,
    at: after(now, -durationMs / 1000),
    method: request.method,
    route: request.routeOptions.url ?? '',
    path: request.url,
    status: reply.statusCode,
    durationMs,
    address: request.ip,
    requestId: request.id,
    reference,
    requestBody: keepBody(request.rawBody),
    responseBody: request.answerBody ?? null,
  };
}

const insertSql = `
WITH packs AS (
  INSERT INTO api_request_bodies (id, content) SELECT * FROM unnest($2::uuid[], $3::bytea[])
)
INSERT INTO api_requests (integration_id, mode, id, key_id, method, route, path, status, duration_ms, address,
  request_id, error, payment_reference, bodies_id, bodies_place)
SELECT * FROM json_to_recordset($1) AS t(integration_id uuid, mode text, id uuid, key_id uuid, method text,
  route text, path text, status smallint, duration_ms real, address text, request_id uuid, error text,
  payment_reference text, bodies_id uuid, bodies_place smallint)`;

async function write(db: Database, batch: Exchange[], missed: Gap[]): Promise<void> {
  const records = batch.map(recordOf);
  const { packs, places } = packBodies(records.map(({ bodies }) => bodies));
  const logged = {
    name: 'log-requests',
    text: insertSql,
    values: [
      JSON.stringify(records.map(({ row }, index) => ({ ...row, ...places[index] }))),
      packs.map(({ id }) => id),
      packs.map(({ content }) => content),
    ],
  };
  const missedSql =
    'INSERT INTO api_request_gaps (integration_id, mode, at, dropped) VALUES ($1, $2, $3, $4)';
  await transaction(db, async (tx) => {
    // A crash of the machine may lose this commit, which saves a flush of the disk.
    withCommit(tx, () => [
      tx.query({ name: 'commit-late', text: 'SET LOCAL synchronous_commit = off' }),
      ...(batch.length > 0 ? [tx.query(logged)] : []),
      ...missed.map(({ owner: { integrationId, mode }, at, count }) =>
        tx.query(missedSql, [integrationId, mode, at, count]),
      ),
    ]);
  });
}
