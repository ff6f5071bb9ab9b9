import type { Clock } from '../../../../kit/clock.ts';
import type { ChainConfig } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';
import { type Endpoints, tolerableLagOf } from '../../rpc/endpoints.ts';
import type { Agreement, Answer } from '../blocks/agreement.ts';
import { reachOf } from '../blocks/trust.ts';
import { type Common, commonHead } from './common-head.ts';
import { createHeadAsks, type Views } from './head-asks.ts';
import { createHeads, type HeadView } from './heads.ts';

export type WitnessDeps = { endpoints: Endpoints; agreement: Agreement; chain: ChainConfig; now: Clock };

/**
 * What endpoints answered about the head. `asked`: all answers. `views`: without the endpoints that count as silent.
 * `common`: the block on which `views` agree.
 */
export type Witnesses = { asked: Views; views: Views; common: Common };

/** Asks endpoints for the head, and marks those whose answers cannot be used. */
export function createWitnesses({ endpoints, agreement, chain, now }: WitnessDeps) {
  const tolerableLag = BigInt(tolerableLagOf(chain));
  const heads = createHeads(chain);
  const asks = createHeadAsks(endpoints, heads, chain, now);

  /** The answers of endpoints that do not count as silent; where all do, the first. */
  function speaking(views: Views, lacking: readonly string[]): Views {
    const still = heads.still();
    agreement.noteStill(still);
    for (const { endpoint } of views) {
      if (still.includes(endpoint.name)) endpoints.noteDoubt(endpoint, 'has a head that does not move');
    }
    const silent = [...still, ...lacking];
    const [first = views[0], ...others] = views.filter(({ endpoint }) => !silent.includes(endpoint.name));
    return [first, ...others];
  }

  /**
   * Notes how far each endpoint is. An endpoint with a block that no other one knows, and that the time passed does
   * not explain, is used after the others.
   */
  function noteReached(views: readonly Answer<HeadView>[], known: Block | null): void {
    const reach = reachOf(known && { number: known.number, at: now() }, chain, now());
    for (const { value, endpoint } of views) {
      const { number } = value.head;
      if (reach === null || number <= reach) endpoints.noteReached(endpoint, number);
      else endpoints.noteDoubt(endpoint, `has block ${number}, which no other endpoint knows`);
    }
  }

  return {
    noteReached,

    /** Asks as many as are needed: a third one replaces one that lags, lies or does not move. Throws RpcFault. */
    async ask(): Promise<Witnesses> {
      const asked = await asks.two();
      const lacking: string[] = [];
      for (;;) {
        const views = speaking(asked, lacking);
        const common = await commonHead(views);
        for (const { endpoint } of common.lacking) {
          endpoints.noteDoubt(endpoint, 'has no blocks before its head');
          lacking.push(endpoint.name);
        }
        if (common.lacking.length > 0) continue;
        const { head } = common;
        const isEnough = head && views.every(({ value }) => value.head.number <= head.number + tolerableLag);
        const other = isEnough ? null : await asks.another(asked.map(({ endpoint }) => endpoint.name));
        if (!other) return { asked, views, common };
        asked.push(other);
      }
    },

    /** Asks all but these, each once. */
    async compare(views: Views, known: Block | null): Promise<void> {
      const names = views.map(({ endpoint }) => endpoint.name);
      for (let other = await asks.another(names); other; other = await asks.another(names)) {
        names.push(other.endpoint.name);
        noteReached([other], known);
      }
    },
  };
}
