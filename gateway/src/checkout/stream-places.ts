import { kitErrors, Refusal } from '../kit/errors.ts';
import { clientKey } from '../kit/net/client-address.ts';

/** How many streams a process holds open at once. */
export type StreamCaps = {
  /** Of one address, which the customers of a mobile network may share; of IPv6, of its /64 network. */
  address: number;
  payment: number;
  all: number;
};

export const streamCaps: StreamCaps = { address: 200, payment: 20, all: 5_000 };

export const noStreamCaps: StreamCaps = { address: Infinity, payment: Infinity, all: Infinity };

export type StreamPlaces = {
  /** Takes a place, and returns a function that gives it back. Throws `rate_limited` when there is none. */
  enter(ip: string, paymentId: string): () => void;
  /** How many places are taken. */
  taken(): number;
};

/** After how long a page may ask for a stream again; until then it asks for the state. */
const retrySeconds = 10;

/** The places for streams. A page without one polls, so that a client with many streams keeps nobody from paying. */
export function createStreamPlaces(caps: StreamCaps = streamCaps): StreamPlaces {
  const byAddress = createCounts(caps.address);
  const byPayment = createCounts(caps.payment);
  const all = createCounts(caps.all);

  return {
    enter(ip, paymentId) {
      const wanted = [
        { counts: byAddress, key: clientKey(ip) },
        { counts: byPayment, key: paymentId },
        { counts: all, key: '' },
      ];
      if (wanted.some(({ counts, key }) => counts.isFull(key))) {
        const { message } = kitErrors.rate_limited;
        const headers = { 'retry-after': `${retrySeconds}` };
        throw new Refusal(kitErrors.rate_limited, message, { headers });
      }
      for (const { counts, key } of wanted) counts.add(key);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        for (const { counts, key } of wanted) counts.remove(key);
      };
    },
    taken: () => all.of(''),
  };
}

/** Counts for each key, which is full at `most`. A key with a count of 0 takes no memory. */
function createCounts(most: number) {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    isFull: (key: string): boolean => of(key) >= most,
    add: (key: string): void => void counts.set(key, of(key) + 1),
    remove(key: string): void {
      if (of(key) > 1) counts.set(key, of(key) - 1);
      else counts.delete(key);
    },
  };
}
