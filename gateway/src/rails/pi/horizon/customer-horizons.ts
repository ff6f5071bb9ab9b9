import { createTokenBuckets } from '../../../kit/http/token-bucket.ts';
import { HorizonFault } from './horizon.ts';
import type { Horizons } from './horizons.ts';

// Horizon answers 3,600 requests an hour, of which the reader uses up to 1,680. A look-up for a customer uses two, so the
// look-ups of all customers together leave the reader what it needs.
const policy = { name: 'pi-horizon', perSecond: 0.25, burst: 60 };

/**
 * The Horizons for look-ups of customers, with a limit for all of them together. Beyond it `use` throws HorizonFault, as
 * if no Horizon had answered: the reader finds every payment anyway.
 */
export function customerHorizons(
  horizons: Pick<Horizons, 'use'>,
  nowMs: () => number,
): Pick<Horizons, 'use'> {
  const buckets = createTokenBuckets(policy);
  return {
    async use(work) {
      const { allowed, retrySeconds } = buckets.take('all', nowMs());
      if (allowed) return await horizons.use(work);
      throw new HorizonFault('rate_limited', 'customers ask for too much', retrySeconds * 1000);
    },
  };
}
