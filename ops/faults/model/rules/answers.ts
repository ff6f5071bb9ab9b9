import { isDeepStrictEqual } from 'node:util';
import type { Exchange, Journal, Seen } from '../../parties/journal.ts';
import type { Verdict } from '../../world/world.ts';
import { doubled, wrong } from '../verdicts.ts';

// Every answer is true, and is given once and for all.

/** What two reads of a payment may say one after the other: a status and those that it may become, directly or not. */
const later: Readonly<Record<string, readonly string[]>> = {
  unlinked: ['unlinked', 'linked', 'pending', 'completed', 'failed', 'cancelled', 'in-appeal'],
  linked: ['linked', 'pending', 'completed', 'failed', 'cancelled', 'in-appeal'],
  pending: ['pending', 'completed', 'failed', 'in-appeal'],
  completed: ['completed', 'in-appeal'],
  failed: ['failed', 'in-appeal', 'completed', 'cancelled'],
  cancelled: ['cancelled', 'completed', 'in-appeal'],
  'in-appeal': ['in-appeal', 'completed', 'failed', 'cancelled'],
};

/** A read that ended before another one began never shows a later state than that. */
export function wentBack(seen: readonly Seen[]): Verdict[] {
  return [...Map.groupBy(seen, ({ reference }) => reference)].flatMap(([reference, reads]) => {
    const ordered = reads.toSorted((one, other) => one.beganMs - other.beganMs);
    const back = ordered.flatMap((read, at) =>
      ordered
        .slice(0, at)
        .filter(({ endedMs, status }) => endedMs < read.beganMs && !later[status]?.includes(read.status))
        .map((before) => `${before.status}, then ${read.status}`),
    );
    const [first] = back;
    return first === undefined ? [] : wrong(`${reference} was read as ${first}`);
  });
}

/** Refusals that say that the very thing was done already, and that its program alone could have done. */
const madeBefore = /^(?:payment_reference|payout_reference) already exists$/;
/** Other statuses that a gateway may answer when it cannot do what it is asked. */
const passing = new Set([0, 409, 502, 503]);

/** The same key has the same answer, and is never refused once it was answered. */
export function keysForgotten(exchanges: readonly Exchange[]): Verdict[] {
  const keyed = exchanges.filter(({ idempotencyKey }) => idempotencyKey !== null);
  return [...Map.groupBy(keyed, ({ by, call, idempotencyKey }) => `${by} ${call} ${idempotencyKey}`)].flatMap(
    ([key, all]) => {
      const verdicts: Verdict[] = [];
      const done = all.filter(({ status }) => status === 200);
      const other = done.find(({ data }) => !isDeepStrictEqual(keptOf(data), keptOf(done[0]?.data)));
      if (other) verdicts.push(...doubled(`${key} was answered in two ways: ${texts(done)}`));
      const again = all.find(({ status, message }) => status === 409 && madeBefore.test(message));
      if (again) verdicts.push(...doubled(`${key} was forgotten: ${again.message}`));
      const since = done[0] && all.find((each) => isRefusedAfter(each, done[0]));
      if (since && since !== again)
        verdicts.push(...wrong(`${key} was done, then ${since.status} ${since.message}`));
      return verdicts;
    },
  );
}

/** What of an answer is the same each time: the secret of a webhook endpoint is that of the moment. */
function keptOf(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('secret' in data)) return data;
  return { ...data, secret: null };
}

const isRefusedAfter = (exchange: Exchange, done: Exchange | undefined): boolean =>
  done !== undefined &&
  exchange.beganMs > done.endedMs &&
  exchange.status !== 200 &&
  !passing.has(exchange.status);
const texts = (done: readonly Exchange[]): string =>
  [...new Set(done.map(({ data }) => JSON.stringify(data)))].join(' and ');

/** No answer is a fault of the gateway. 502 is that of a wallet backend, and 503 one that passes. */
export function faultsOfOurs(exchanges: readonly Exchange[]): Verdict[] {
  return exchanges
    .filter(
      ({ status, call }) => status >= 500 && status !== 503 && !(status === 502 && /fund-user/.test(call)),
    )
    .map(({ by, call, status, message }) => ({ kind: 'wrong', said: `${by} ${call}: ${status} ${message}` }));
}

/** Who made something finds it, from the moment of the answer on. */
export function notFound(exchanges: readonly Exchange[]): Verdict[] {
  const made = new Map(
    exchanges.flatMap(({ status, data, by, endedMs }) => {
      const reference = status === 200 ? referenceIn(data) : undefined;
      return reference === undefined ? [] : [[`${by} ${reference}`, endedMs]];
    }),
  );
  return exchanges
    .filter(({ status, call }) => status === 404 && call.startsWith('GET '))
    .filter(({ by, call, beganMs }) => {
      const madeMs = made.get(`${by} ${call.split('/').at(-1)}`);
      return madeMs !== undefined && beganMs > madeMs;
    })
    .map(({ by, call }) => ({ kind: 'lost', said: `${by} was told that it is made, then ${call} was 404` }));
}

function referenceIn(data: unknown): string | undefined {
  const { PaymentData, payout_reference } = (data ?? {}) as {
    PaymentData?: { payment_reference: string };
    payout_reference?: string;
  };
  return PaymentData?.payment_reference ?? payout_reference ?? undefined;
}

/** All that is wrong with the answers so far. */
export function judgeAnswers({ exchanges, seen, unanswered }: Journal): Verdict[] {
  return [
    ...[...wentBack(seen), ...keysForgotten(exchanges), ...faultsOfOurs(exchanges), ...notFound(exchanges)],
    ...unanswered.map((said): Verdict => ({ kind: 'wrong', said })),
  ];
}
