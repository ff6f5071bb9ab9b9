import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClaimedDelivery, claimDue, releaseLeases } from './claim.ts';
import { createWorld, type Merchant, type World } from './fixtures.ts';
import { type Attempt, recordAttempts } from './record.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const recording = () => ({ db: world.db, onDisabled: async () => {} });

async function oneDue(): Promise<{ merchant: Merchant; claim: () => Promise<ClaimedDelivery[]> }> {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/');
  await merchant.emit();
  return { merchant, claim: () => claimDue(world.db, { endpoints: [id] }, 10) };
}

function attemptOf({ endpoint_id, id, lease }: ClaimedDelivery, status: Attempt['status']): Attempt {
  return {
    endpointId: endpoint_id,
    deliveryId: id,
    lease,
    status,
    waitSeconds: status === 'pending' ? 60 : null,
    at: new Date(),
    durationMs: 1,
    statusCode: 200,
    error: null,
    requestHeaders: null,
    responseHeaders: null,
    response: null,
    healthy: null,
    verifies: false,
    chaos: null,
  };
}

async function rowOf({ id }: ClaimedDelivery) {
  const { rows } = await world.db.query(
    `SELECT status, attempts, (SELECT count(*)::integer FROM delivery_attempts WHERE delivery_id = id) AS recorded
     FROM deliveries WHERE id = $1`,
    [id],
  );
  return rows[0];
}

const expire = ({ id }: ClaimedDelivery) =>
  world.db.query(`UPDATE deliveries SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);

test('a claimed delivery is not claimed again while its lease holds', async () => {
  const { claim } = await oneDue();
  expect(await claim()).toHaveLength(1);
  expect(await claim()).toHaveLength(0);
});

test('a lease that ran out is taken over, and its first holder records nothing any more', async () => {
  const { claim } = await oneDue();
  const [late] = await claim();
  await expire(late!);
  const [successor] = await claim();
  expect(successor!.lease).toBe(late!.lease + 1);
  expect(await recordAttempts(recording(), [attemptOf(late!, 'delivered')])).toEqual([false]);
  expect(await rowOf(late!)).toEqual({ status: 'pending', attempts: 0, recorded: 0 });
  expect(await recordAttempts(recording(), [attemptOf(successor!, 'delivered')])).toEqual([true]);
  expect(await rowOf(late!)).toEqual({ status: 'delivered', attempts: 1, recorded: 1 });
});

test('an attempt that is recorded twice counts once', async () => {
  const { claim } = await oneDue();
  const [delivery] = await claim();
  const attempt = attemptOf(delivery!, 'pending');
  expect(await recordAttempts(recording(), [attempt])).toEqual([true]);
  expect(await recordAttempts(recording(), [attempt])).toEqual([false]);
  expect(await rowOf(delivery!)).toEqual({ status: 'pending', attempts: 1, recorded: 1 });
});

test('a claim that is given back can be taken at once', async () => {
  const { claim } = await oneDue();
  await releaseLeases(world.db, await claim());
  expect(await claim()).toHaveLength(1);
});

test('two claims at the same moment share the deliveries between them', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/');
  for (let count = 0; count < 8; count++) await merchant.emit();
  const claims = await Promise.all([1, 2, 3].map(() => claimDue(world.db, { endpoints: [id] }, 100)));
  const ids = claims.flat().map((delivery) => delivery.id);
  expect(new Set(ids).size).toBe(ids.length);
  const rest = await claimDue(world.db, { endpoints: [id] }, 100);
  expect(ids.length + rest.length).toBe(8);
});
