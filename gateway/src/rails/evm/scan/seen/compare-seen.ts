import { after, type Clock } from '../../../../kit/clock.ts';
import type { Block } from '../../rpc/block.ts';
import type { Endpoint } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { checkpointsAbove } from '../blocks/checkpoints.ts';
import type { Held } from '../blocks/held-chain.ts';
import { keyOf, type OurTransfer, sameTransfers } from '../blocks/match.ts';
import { planMissed } from '../blocks/recheck-plan.ts';
import type { Cursors } from '../blocks/reorg.ts';
import { notedBetween, withBlockTimes } from '../blocks/transfers.ts';
import { watchAlso } from '../blocks/watch.ts';
import { fetchWindow, findOurs, type Search } from '../blocks/window.ts';
import type { FinalPass } from '../final/final.ts';

/** How often what was seen is compared: only deadlines wait for it. */
const compareSeconds = 10;
const checkpointsAtMost = 200;

/**
 * Compares what was seen and is not final yet with another endpoint. That one endpoint showed no transfer proves
 * nothing until another one shows none either: the logs of the first may lag behind its blocks. The returned function
 * returns whether both showed the same; blocks with a transfer that was left out are read again. It compares at most
 * every ten seconds, and returns false in between and where no other endpoint answers.
 */
export function createSeenComparison(now: Clock) {
  let compareAt = now();
  let compared: Block | null = null;

  async function compare(pass: FinalPass, held: Held, { seen, final }: Cursors): Promise<boolean> {
    const from =
      compared && compared.number > final.number && compared.number <= seen.number ? compared : final;
    // If that block has left the chain, the next comparison covers all.
    compared = null;
    const { db, agreement } = pass;
    const noted = await notedBetween(db, held.chainId, from.number, seen.number);
    const search = watchAlso(pass.search, noted);
    for (const source of await sourcesOf(pass, held, from, seen)) {
      const { value: ours } = await agreement.askAnother([source], (endpoint) =>
        read(endpoint, search, from, seen),
      );
      if (ours === 'moved') return false;
      if (!sameTransfers(withBlockTimes(noted, ours), ours)) {
        const known = new Set(noted.map(keyOf));
        const missed = ours.filter((each) => !known.has(keyOf(each)));
        // They are noted by the common rule only: two endpoints must show them.
        await planMissed(db, held.chainId, missed, pass.now);
        return false;
      }
    }
    compared = seen;
    return true;
  }

  return async (pass: FinalPass, held: Held, cursors: Cursors): Promise<boolean> => {
    if (now() < compareAt) return false;
    compareAt = after(now(), compareSeconds);
    try {
      return await compare(pass, held, cursors);
    } catch (error) {
      if (error instanceof RpcFault) return false;
      throw error;
    }
  };
}

/** The endpoints of the first reading of these blocks. */
async function sourcesOf({ db }: FinalPass, held: Held, from: Block, seen: Block): Promise<Set<string>> {
  const above = await checkpointsAbove(db, held.chainId, from.number, checkpointsAtMost);
  return new Set(above.filter(({ number }) => number <= seen.number).map(({ endpoint }) => endpoint));
}

/** Our transfers on an endpoint between two blocks; `moved`: its chain does not have both. */
async function read(
  endpoint: Endpoint,
  search: Search,
  from: Block,
  upTo: Block,
): Promise<OurTransfer[] | 'moved'> {
  const found: OurTransfer[] = [];
  let at = from;
  while (at.number < upTo.number) {
    const furthest = at.number + BigInt(endpoint.span());
    const window = { after: at, to: furthest < upTo.number ? furthest : upTo.number };
    const fetched = await fetchWindow(endpoint, search, window);
    const reading = fetched === 'moved' ? fetched : await findOurs(endpoint, search, window, fetched);
    if (reading === 'moved') return 'moved';
    found.push(...reading.ours);
    at = reading.end;
  }
  return at.hash === upTo.hash ? found : 'moved';
}
