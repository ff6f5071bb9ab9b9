import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type Merchant, type Receiver, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { after } from '../../kit/clock.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { type Endpoint, endpointSecret, findEndpoint } from './endpoints.ts';
import { endOverlap, rollSecret } from './secrets.ts';

let merchant: Merchant;
let receiver: Receiver;
let endpoint: Endpoint & { secret: string };

const world = await createWorld();
beforeEach(async () => {
  receiver = await startReceiver();
  merchant = await world.merchant();
  endpoint = await merchant.endpoint(receiver.url);
});

const write = <T>(work: (tx: Tx) => Promise<T>) => transaction(world.db, work);

/** Rolls the secret, and returns the new one. */
async function roll(overlapSeconds: number): Promise<string> {
  await write((tx) => rollSecret(tx, world, endpoint.id, { overlapSeconds, now: new Date() }));
  return await endpointSecret(world.db, world.seal, endpoint.id);
}

/** The overlaps end earlier, as if that much time had passed. */
async function pass(seconds: number): Promise<void> {
  await world.db.query(
    `UPDATE webhook_old_secrets SET valid_until = valid_until - $2 * interval '1 second' WHERE endpoint_id = $1`,
    [endpoint.id, seconds],
  );
}

/** Which of the secrets a webhook that is sent now can be verified with. */
async function signers(...secrets: string[]): Promise<boolean[]> {
  await merchant.emit();
  await world.runDue(merchant);
  const { raw, headers } = receiver.got.at(-1)!;
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(raw, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}

const hour = 3600;

describe('a secret that was rolled', () => {
  test('signs until its overlap ends, and then no longer', async () => {
    const next = await roll(hour);
    expect(await signers(endpoint.secret, next)).toEqual([true, true]);
    await pass(hour);
    expect(await signers(endpoint.secret, next)).toEqual([false, true]);
  });

  test('goes on signing when its successor is rolled within the overlap', async () => {
    const second = await roll(2 * hour);
    const third = await roll(hour);
    expect(await signers(endpoint.secret, second, third)).toEqual([true, true, true]);
    await pass(hour);
    expect(await signers(endpoint.secret, second, third)).toEqual([false, false, true]);
  });

  test('is never given more time by a later roll', async () => {
    const second = await roll(hour);
    const third = await roll(24 * hour);
    await pass(hour);
    expect(await signers(endpoint.secret, second, third)).toEqual([false, true, true]);
  });

  test('without an overlap ends at once, and so does every other old one', async () => {
    const second = await roll(hour);
    const third = await roll(0);
    expect(await signers(endpoint.secret, second, third)).toEqual([false, false, true]);
  });

  test('signs what was made before, and what is tried again, as it is at the moment of sending', async () => {
    let status = 500;
    const flaky = await startReceiver((response) => void response.writeHead(status).end());
    const { id, secret } = await merchant.endpoint(flaky.url);
    await merchant.emit();
    await world.runDue(merchant);
    await write((tx) => rollSecret(tx, world, id, { overlapSeconds: 0, now: new Date() }));
    const next = await endpointSecret(world.db, world.seal, id);
    status = 200;
    await write((tx) =>
      tx.query('UPDATE deliveries SET next_attempt_at = now() WHERE endpoint_id = $1', [id]),
    );
    await world.runDue(merchant);
    const [first, second] = flaky.got.map(({ raw, headers }) => ({
      raw,
      headers: headers as Record<string, string>,
    }));
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(() => new Webhook(secret).verify(first!.raw, first!.headers)).not.toThrow();
    expect(() => new Webhook(next).verify(second!.raw, second!.headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(second!.raw, second!.headers)).toThrow();
    await flaky.close();
  });

  test('may be followed by three more at a time, and by any number without an overlap', async () => {
    for (let count = 0; count < 4; count++) await roll(hour);
    await expect(roll(hour)).rejects.toThrow('Five secrets sign this endpoint’s webhooks already');
    await roll(0);
    await roll(hour);
  });

  test('by two at the same moment leaves both successors in order', async () => {
    const order = [1, 2].map(() =>
      write((tx) => rollSecret(tx, world, endpoint.id, { overlapSeconds: hour, now: new Date() })),
    );
    await Promise.all(order);
    const { rowCount } = await world.db.query('SELECT FROM webhook_old_secrets WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(rowCount).toBe(2);
    expect(await signers(endpoint.secret)).toEqual([true]);
  });
});

describe('ending the overlap', () => {
  test('leaves the newest secret alone, at once', async () => {
    const second = await roll(hour);
    expect(await write((tx) => endOverlap(tx, world.hints, endpoint.id, new Date()))).toBe(1);
    expect(await signers(endpoint.secret, second)).toEqual([false, true]);
  });

  test('where none is being rolled changes nothing', async () => {
    expect(await write((tx) => endOverlap(tx, world.hints, endpoint.id, new Date()))).toBe(0);
    expect(await signers(endpoint.secret)).toEqual([true]);
  });
});

test('an endpoint shows until when an old secret signs, as long as one does', async () => {
  const owner = { integrationId: merchant.id, mode: 'test' } as const;
  const until = async () => (await findEndpoint(world.db, owner, endpoint.id)).oldSecretUntil;
  expect(await until()).toBeNull();
  await roll(2 * hour);
  await roll(hour);
  expect((await until())!.getTime()).toBeGreaterThan(after(new Date(), hour - 60).getTime());
  await pass(2 * hour);
  expect(await until()).toBeNull();
});
