import fc from 'fast-check';
import type { startChain } from '../../gateway/test/chain/chain.ts';

type Chain = Pick<Awaited<ReturnType<typeof startChain>>, 'client'>;
type Lives<Life> = { lives: fc.Arbitrary<Life>; runs: number; play: (life: Life) => Promise<void> };

/** Plays so many random lives, each from the state in which the chain is now. */
export async function playLives<Life>({ client }: Chain, { lives, runs, play }: Lives<Life>): Promise<void> {
  const property = fc.asyncProperty(lives, async (life) => {
    const id = await client.snapshot();
    try {
      await play(life);
    } finally {
      await client.revert({ id });
    }
  });
  await fc.assert(property, { numRuns: runs });
}
