import { Webhook } from 'standardwebhooks';
import { transaction } from '../../src/kit/db/db.ts';
import { type Chaos, noChaos } from '../../src/webhooks/answers/chaos-answers.ts';
import { setChaos, shiftTestDeliveries } from '../../src/webhooks/endpoints/endpoints.ts';
import { createWorld, type Merchant, type Received, type Receiver, startReceiver } from './fixtures.ts';
import { isSignedWith } from './receiver.ts';

/** A merchant's test endpoint that meets chaos, with the real receiver behind it. */
export type ChaosScene = {
  merchant: Merchant;
  receiver: Receiver;
  endpoint: Awaited<ReturnType<Merchant['endpoint']>>;
};

export type Verdict = { body: boolean; standard: string };

export const rightlySigned: Verdict = { body: true, standard: 'good' };
export const wronglySigned: Verdict = { body: false, standard: 'No matching signature found' };

/** What a receiver that holds the endpoint's first secret says of both signatures of a webhook. */
export function verdictOf({ raw, headers }: Received, { merchant, endpoint }: ChaosScene): Verdict {
  const body = isSignedWith(merchant.keys.test, raw, headers['x-signature']);
  try {
    new Webhook(endpoint.secret).verify(raw, headers as Record<string, string>);
    return { body, standard: 'good' };
  } catch (error) {
    return { body, standard: (error as Error).message };
  }
}

/** The answer of a receiver that takes nothing that Standard Webhooks would not. */
export function strict(webhook: Received, scene: ChaosScene): number {
  return verdictOf(webhook, scene).standard === 'good' ? 200 : 401;
}

/** Webhooks on a database of the test file's own, for endpoints that meet chaos. Call it in the file itself. */
export async function openChaos() {
  const world = await createWorld();

  return {
    world,
    /** A merchant whose endpoint meets `chaos`, and answers what `answer` says of a webhook: 200 without one. */
    async meet(
      chaos: Partial<Chaos>,
      answer: (webhook: Received, scene: ChaosScene) => number = () => 200,
    ): Promise<ChaosScene> {
      const merchant = await world.merchant();
      const receiver = await startReceiver((response, webhook) => {
        response.writeHead(answer(webhook, scene)).end();
      });
      const endpoint = await merchant.endpoint(receiver.url);
      const scene: ChaosScene = { merchant, receiver, endpoint };
      await transaction(world.db, (tx) =>
        setChaos(tx, world.hints, endpoint.id, { chaos: { ...noChaos, ...chaos }, now: new Date() }),
      );
      return scene;
    },
    /** The test clock goes on. */
    advance: ({ merchant }: ChaosScene, seconds: number) =>
      transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, seconds)),
    /** Tries what is due once; answers how many there were. */
    due: ({ merchant }: ChaosScene) => world.runDue(merchant),
    /** The delivery's status, and what each try came to. */
    async logOf(eventId: string): Promise<string[]> {
      const { rows } = await world.db.query<{ status: string; tries: string[] }>(
        `SELECT status,
           ARRAY(SELECT coalesce(error, 'ok') FROM delivery_attempts WHERE delivery_id = d.id ORDER BY n) AS tries
         FROM deliveries d WHERE event_id = $1`,
        [eventId],
      );
      return [rows[0]!.status, ...rows[0]!.tries];
    },
  };
}
