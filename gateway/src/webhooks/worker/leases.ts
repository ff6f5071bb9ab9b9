import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Database } from '../../kit/db/db.ts';
import { anyLength } from '../../kit/db/sql-arrays.ts';
import { newId } from '../../kit/ids.ts';

/** How long a worker that does not renew its leases keeps its endpoints from the others. */
const leaseSeconds = 10;
const beatMs = 2_000;
// The last send must end before the lease can: the exchange takes up to 5 s, and recording it some more.
const sendWithinMs = (leaseSeconds - 6) * 1000;

/** An endpoint that this worker holds, and whose it is. */
export type HeldEndpoint = { endpoint_id: string; integration_id: IntegrationId; mode: Mode };

export type Leases = {
  /** The worker's name in the database; it changes when its leases were lost. */
  worker(): string;
  /** Registers the worker, and renews its leases until `end`. When it rejects, nothing is renewed. */
  begin(): Promise<void>;
  /** Renews the worker's leases, as is done every other second since `begin`. */
  beat(): Promise<void>;
  /** True while a send that begins now ends before another worker can take its endpoint. */
  maySend(): boolean;
  /** Takes those of the endpoints that are free, or whose holder's lease has run out. */
  take(endpoints: readonly string[]): Promise<HeldEndpoint[]>;
  letGo(endpoints: readonly string[]): Promise<void>;
  end(): Promise<void>;
};

export type LeaseOptions = {
  db: Database;
  /** The worker stood still for longer than its leases: others may have taken every endpoint. */
  onLost: () => void;
  /** `maySend` is true again, should it have been false. */
  onBeat: () => void;
  onError: (error: unknown) => void;
};

// On conflict: the answer to the first try was lost, and this is the second.
const beginSql = `
  WITH forgotten AS (DELETE FROM webhook_workers WHERE until < now() - interval '1 hour')
  INSERT INTO webhook_workers (id, until) VALUES ($1, now() + interval '${leaseSeconds} seconds')
  ON CONFLICT (id) DO UPDATE SET until = excluded.until`;

// Never inserts: when the row is gone or too old, other workers may have taken the leases.
const beatSql = `
  UPDATE webhook_workers SET until = now() + interval '${leaseSeconds} seconds' WHERE id = $1 AND until > now()`;

// In the order of their ids, so that two workers that take the same ones do not wait for each other in a circle.
const takeSql = `
  WITH taken AS (
    INSERT INTO webhook_leases AS l (endpoint_id, worker)
    SELECT t.id, $2 FROM unnest(${anyLength('$1', 'uuid')}) AS t (id) ORDER BY t.id
    ON CONFLICT (endpoint_id) DO UPDATE SET worker = excluded.worker
    WHERE l.worker = excluded.worker
      OR NOT EXISTS (SELECT FROM webhook_workers w WHERE w.id = l.worker AND w.until > now())
    RETURNING endpoint_id
  )
  SELECT taken.endpoint_id, w.integration_id, w.mode
  FROM taken JOIN webhook_endpoints w ON w.id = taken.endpoint_id`;

/** A worker's leases of endpoints. Their tables are unlogged, so that no write here waits for the disk. */
export function createLeases({ db, onLost, onBeat, onError }: LeaseOptions): Leases {
  let worker = newId();
  let aliveFrom = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function register(): Promise<void> {
    const from = performance.now();
    await db.query({ name: 'begin-worker', text: beginSql, values: [worker] });
    aliveFrom = from;
  }

  async function beat(): Promise<void> {
    const from = performance.now();
    const { rowCount } = await db.query({ name: 'beat-worker', text: beatSql, values: [worker] });
    if (rowCount === 1) {
      aliveFrom = from;
      onBeat();
      return;
    }
    worker = newId();
    onLost();
    await register();
  }

  function beatOnce(): void {
    beating = beating.then(beat).catch(onError);
  }

  const maySend = (): boolean => performance.now() < aliveFrom + sendWithinMs;

  return {
    worker: () => worker,
    maySend,
    beat,
    async begin() {
      await register();
      timer = setInterval(beatOnce, beatMs);
    },
    async take(endpoints) {
      if (endpoints.length === 0) return [];
      const { rows } = await db.query<HeldEndpoint>({
        name: 'take-endpoints',
        text: takeSql,
        values: [endpoints, worker],
      });
      return rows;
    },
    async letGo(endpoints) {
      if (endpoints.length === 0) return;
      await db.query('DELETE FROM webhook_leases WHERE endpoint_id = ANY ($1) AND worker = $2', [
        endpoints,
        worker,
      ]);
    },
    async end() {
      clearInterval(timer);
      await beating;
      aliveFrom = Number.NEGATIVE_INFINITY;
      await db.query('DELETE FROM webhook_workers WHERE id = $1', [worker]);
    },
  };
}
