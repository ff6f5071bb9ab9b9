import { createHmac } from 'node:crypto';
import type { Arrival, Verdict } from '../../world/world.ts';
import { doubled, wrong } from '../verdicts.ts';

// What receivers got: the same bytes each time, signed as the contract says.

/** Whose webhooks they are, and the secrets that may sign them. */
export type Signer = { who: string; secretKeys: readonly string[]; endpointSecrets: readonly string[] };

/** The fields of every webhook that name its event. */
type Body = { event_id: string; event_type: string; payment_reference?: string; payout_reference?: string };

export const bodyOf = ({ raw }: Arrival): Body & Record<string, unknown> => JSON.parse(raw.toString('utf8'));

/** Names an event for people. */
export const aboutOf = ({ event_type, event_id, payment_reference, payout_reference }: Body): string =>
  `${event_type} of ${payment_reference || payout_reference || event_id}`;

/** Judges the webhooks of one receiver, without knowing what should have come. */
export function judgeArrivals(arrivals: readonly Arrival[], signer: Signer): Verdict[] {
  const events = Map.groupBy(arrivals, (arrival) => bodyOf(arrival).event_id);
  return [...events.values()]
    .flatMap((copies) => [
      ...judgeBytes(copies, signer),
      ...copies.flatMap((arrival) => judgeSignatures(arrival, signer)),
    ])
    .concat(judgeCompleted(arrivals, signer));
}

function judgeBytes(copies: readonly Arrival[], { who }: Signer): Verdict[] {
  const [first] = copies;
  if (!first || copies.every(({ raw }) => raw.equals(first.raw))) return [];
  return wrong(`${who}: ${aboutOf(bodyOf(first))} came with other bytes`);
}

function judgeSignatures(arrival: Arrival, { who, secretKeys, endpointSecrets }: Signer): Verdict[] {
  const { raw, headers } = arrival;
  const faults: string[] = [];
  const body = bodyOf(arrival);
  const plain = secretKeys.map((key) => createHmac('sha256', key).update(raw).digest('base64'));
  if (!plain.includes(`${headers['x-signature']}`)) faults.push('X-Signature');
  if (headers['x-event-id'] !== body.event_id) faults.push('X-Event-Id');
  if (headers['webhook-id'] !== body.event_id) faults.push('webhook-id');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const standard = endpointSecrets.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).update(raw).digest('base64')}`;
  });
  const given = `${headers['webhook-signature']}`.split(' ');
  if (!given.some((each) => standard.includes(each))) faults.push('webhook-signature');
  if (faults.length === 0) return [];
  return wrong(`${who}: ${aboutOf(body)} came with a wrong ${faults.join(', ')}`);
}

/** `payment_completed` is one event in a payment's life. */
function judgeCompleted(arrivals: readonly Arrival[], { who }: Signer): Verdict[] {
  const completed = arrivals.map(bodyOf).filter(({ event_type }) => event_type === 'payment_completed');
  return [...Map.groupBy(completed, ({ payment_reference }) => payment_reference)].flatMap(
    ([reference, all]) => {
      const ids = new Set(all.map(({ event_id }) => event_id));
      if (ids.size === 1) return [];
      return doubled(`${who}: ${reference} was completed by ${ids.size} events`);
    },
  );
}
