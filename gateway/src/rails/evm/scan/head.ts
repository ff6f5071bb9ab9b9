import type { Logger } from 'pino';
import { after, type Clock } from '../../../kit/clock.ts';
import { smallNumber } from '../../../kit/small-number.ts';
import type { ChainConfig } from '../chains.ts';
import { type Endpoints, tolerableLagOf } from '../endpoints.ts';
import { RpcFault } from '../rpc-fault.ts';
import type { Agreement, Told } from './agreement.ts';
import type { Block, Header } from './block.ts';
import { commonHead, forkedHead } from './common-head.ts';
import { createHeadAsks, type Views } from './head-asks.ts';
import { createHeads, type HeadView, silentAfterMs } from './heads.ts';
import { createSilence } from './silence.ts';
import { reachOf, type Trusted, trustIn } from './trust.ts';

/** The end of a chain, as far as a round may go. */
export type Head = {
  head: Header;
  /** When the endpoints were asked for it, by the gateway's clock: all that the chain had by then is in it. */
  askedAt: Date;
  /** Whether two endpoints know it, or one has to do because there is no other. Else it is good for a preview. */
  agreed: boolean;
  /** Whether it is the word of one endpoint. */
  isLone: boolean;
  /** The last block that is final by as many endpoints; 0 where none is. */
  target: bigint;
  /** Which endpoint was asked first. */
  endpoint: string;
  trusted: Trusted | null;
  /** What is doubtful about it, in words. */
  doubt: string | null;
  /** What keeps the chain from being read further, in words. */
  fault: string | null;
};

export type HeadWatch = {
  endpoints: Endpoints;
  agreement: Agreement;
  chain: ChainConfig;
  now: Clock;
  log: Logger;
};

/** One endpoint that falls behind looks like a quiet chain, until others are asked. */
const compareSeconds = 15;

/**
 * Learns the end of the chain: the furthest block that two endpoints know. While no second one answers, the head of
 * the only one is good for a preview as far as time explains it, and counts once the others have been silent for two
 * minutes. The function that it makes throws RpcFault where there is no such block.
 */
export function createHeadWatch(watch: HeadWatch): (trusted: Trusted | null) => Promise<Head> {
  const { endpoints, agreement, chain, now, log } = watch;
  const tolerableLag = BigInt(tolerableLagOf(chain));
  const heads = createHeads(chain);
  const asks = createHeadAsks(endpoints, heads, chain, now);
  const silence = createSilence(now);
  let compareAt = now();
  let last: Header | null = null;
  let forkedSince: Date | null = null;
  let isLeaping = false;

  /** Those that do not count as silent; where all do, the first. */
  function speaking(views: Views, lacking: readonly string[]): Views {
    const still = heads.still();
    agreement.noteStill(still);
    for (const { endpoint } of views) {
      if (still.includes(endpoint.name)) endpoints.noteFault(endpoint, 'has a head that stands still');
    }
    const silent = [...still, ...lacking];
    const [first = views[0], ...others] = views.filter(({ endpoint }) => !silent.includes(endpoint.name));
    return [first, ...others];
  }

  /** As many as it takes: one that lags, lies or stands still is made up for by a third one. */
  async function ask() {
    const asked = await asks.two();
    const lacking: string[] = [];
    for (;;) {
      const views = speaking(asked, lacking);
      const common = await commonHead(views);
      for (const { endpoint } of common.lacking) {
        endpoints.noteFault(endpoint, 'has no blocks before its head');
        lacking.push(endpoint.name);
      }
      if (common.lacking.length > 0) continue;
      const { head } = common;
      const isEnough = head && views.every(({ value }) => value.head.number <= head.number + tolerableLag);
      const other = isEnough ? null : await asks.another(asked.map(({ endpoint }) => endpoint.name));
      if (!other) return { asked, views, common };
      asked.push(other);
    }
  }

  /** Notes how far each one is. Others go before one that tells of what no other one knows, and no time explains. */
  function noteReached(views: readonly Told<HeadView>[], known: Block | null): void {
    const reach = reachOf(known && { number: known.number, at: now() }, chain, now());
    for (const { value, endpoint } of views) {
      const { number } = value.head;
      if (reach === null || number <= reach) endpoints.noteHead(endpoint, number);
      else endpoints.noteFault(endpoint, `tells of block ${number}, which no other endpoint knows`);
    }
  }

  /** Asks those that were not asked now and then, each once. */
  async function compare(asked: string[]): Promise<void> {
    for (let other = await asks.another(asked); other; other = await asks.another(asked)) {
      asked.push(other.endpoint.name);
      noteReached([other], last);
    }
  }

  /** The word of one endpoint, while no other one answers. */
  function lone({ value, endpoint }: Told<HeadView>, trusted: Trusted | null) {
    const { head, askedAt, target } = value;
    const reach = reachOf(trusted, chain, now());
    const isLeap = reach !== null && head.number > reach;
    silence.begin();
    const agreed = endpoints.size === 1 || silence.lasts();
    if (isLeap && !agreed) {
      throw new RpcFault('behind', `${endpoint.name}: tells of block ${head.number}, and no other one does`);
    }
    const doubt = isLeap
      ? `${endpoint.name} tells of block ${head.number}; in the time passed the chain can have come to ${reach}.`
      : null;
    if (doubt && !isLeaping) log.error({ chain: chain.id }, `the head of the chain leaps: ${doubt}`);
    isLeaping = isLeap;
    if (!isLeap) endpoints.noteHead(endpoint, head.number);
    const trust = agreed && !isLeap ? trustIn(trusted, head, askedAt) : trusted;
    return { head, askedAt, target, agreed, isLone: true, trusted: trust, doubt, fault: null };
  }

  /** Two endpoints that have no common head for long are a fault; for a moment, it is the end of a reorg. */
  async function forked(views: Views): Promise<Pick<Head, 'head' | 'fault'>> {
    const head = await forkedHead(views, last);
    forkedSince ??= now();
    const isLong = now().getTime() - forkedSince.getTime() >= silentAfterMs(chain);
    const names = views.map(({ endpoint }) => endpoint.name).join(' and ');
    return { head, fault: isLong ? `${names} have no common block after ${head.number}` : null };
  }

  return async (trusted) => {
    const { asked, views, common } = await ask();
    const endpoint = views[0].endpoint.name;
    const { askedAt } = views[0].value;
    if (now() >= compareAt) {
      compareAt = after(now(), compareSeconds);
      // This round does not wait for it: one of them may be silent, and their faults are noted where they rest.
      compare(asked.map((each) => each.endpoint.name)).catch(() => {});
    }
    if (views.length === 1) return { ...lone(views[0], trusted), endpoint };
    silence.end();
    isLeaping = false;
    const told = {
      askedAt,
      target: secondOf(views.map(({ value }) => value.target)),
      isLone: false,
      endpoint,
    };
    if (!common.head) return { ...told, ...(await forked(views)), agreed: false, trusted, doubt: null };
    forkedSince = null;
    last = common.head;
    noteReached(asked, last);
    for (const each of common.forked) {
      endpoints.noteFault(each.endpoint, `has another block ${last.number} than two others`);
    }
    return {
      ...told,
      head: last,
      agreed: true,
      trusted: trustIn(trusted, last, askedAt),
      doubt: null,
      fault: null,
    };
  };
}

/** The greatest that two endpoints tell at least. */
const secondOf = (numbers: readonly bigint[]): bigint =>
  [...numbers].sort((one, other) => smallNumber(other - one))[1] ?? 0n;
