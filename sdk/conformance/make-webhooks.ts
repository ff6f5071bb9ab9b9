import type { JudgedWebhook } from './cases.ts';
import { eventOf, idOf } from './make-events.ts';
import { seeded } from './random.ts';
import { type Secrets, signed } from './sign.ts';
import { type Altered, alterations } from './webhook-alterations.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 200 webhooks, good and bad, each with its verdict: from the way it was made, not from an SDK. The same at each run. */
export function judgedWebhooks(): JudgedWebhook[] {
  const random = seeded(20_261_120);
  const pick = (length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const newSecrets = (): Secrets => ({
    secretKey: `sk_test_${pick(32)}`,
    endpointSecret: `whsec_${Buffer.from(pick(32)).toString('base64')}`,
  });
  const cases: JudgedWebhook[] = [];
  for (let index = 0; cases.length < 200; index++) {
    const alteration = alterations[index % alterations.length];
    if (!alteration) continue;
    const [secrets, others] = [newSecrets(), newSecrets()];
    const { body } = eventOf(index + Math.floor(index / alterations.length));
    const { event_id: id } = JSON.parse(body) as { event_id: string };
    const genuine = signed(Buffer.from(body), id, secrets);
    const altered: Altered | undefined = alteration.make(genuine, { secrets, others, id });
    // Some alterations change nothing in some bodies.
    if (!altered) continue;
    const { webhook, verdict } = altered;
    const name = `${idOf(index).slice(-3)} ${alteration.name}`;
    cases.push({ name, ...webhook, body: webhook.body.toString('base64'), verdict });
  }
  return cases;
}
