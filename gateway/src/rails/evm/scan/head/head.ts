import { after } from '../../../../kit/clock.ts';
import { smallNumber } from '../../../../money/small-number.ts';
import type { Header } from '../../rpc/block.ts';
import { type Trusted, trustIn } from '../blocks/trust.ts';
import { forkedHead } from './common-head.ts';
import type { Views } from './head-asks.ts';
import { silentAfterMs } from './heads.ts';
import { createLoneHead, type LoneHeadDeps } from './lone-head.ts';
import { createWitnesses, type WitnessDeps } from './witnesses.ts';

/** The end of a chain, as far as a round may go. */
export type Head = {
  head: Header;
  /** When the endpoints were asked, by the gateway's clock: it has all blocks that the chain had by then. */
  askedAt: Date;
  /** Whether two endpoints know it, or one is enough because there is no other. Else it is good for a preview only. */
  agreed: boolean;
  /** Whether a single endpoint named it. */
  isLone: boolean;
  /** The last block that is final for as many endpoints; 0 where none is. */
  target: bigint;
  /** Which endpoint was asked first. */
  endpoint: string;
  trusted: Trusted | null;
  /** What is doubtful about it, in words. */
  doubt: string | null;
  /** What keeps the chain from being read further, in words. */
  fault: string | null;
};

export type HeadWatch = LoneHeadDeps & WitnessDeps;

/** How often others are asked: an endpoint that falls behind looks like a quiet chain. */
const compareSeconds = 15;

/**
 * Learns the end of the chain: the furthest block that two endpoints know, or the block that a single one names, as
 * far as that counts (see createLoneHead). The returned function throws RpcFault where there is no such block.
 */
export function createHeadWatch(watch: HeadWatch): (trusted: Trusted | null) => Promise<Head> {
  const { endpoints, chain, now } = watch;
  const witnesses = createWitnesses(watch);
  const alone = createLoneHead(watch);
  let compareAt = now();
  let last: Header | null = null;
  let forkedSince: Date | null = null;

  /** Two endpoints without a common head are a fault after long; for a moment it is the end of a reorg. */
  async function forked(views: Views): Promise<Pick<Head, 'head' | 'fault'>> {
    const head = await forkedHead(views, last);
    forkedSince ??= now();
    const isLong = now().getTime() - forkedSince.getTime() >= silentAfterMs(chain);
    const names = views.map(({ endpoint }) => endpoint.name).join(' and ');
    return { head, fault: isLong ? `${names} have no common block after ${head.number}` : null };
  }

  return async (trusted) => {
    const { asked, views, common } = await witnesses.ask();
    if (now() >= compareAt) {
      compareAt = after(now(), compareSeconds);
      // Not awaited: one of them may be silent. Their faults are noted with their health.
      witnesses.compare(asked, last).catch(() => {});
    }
    const endpoint = views[0].endpoint.name;
    if (views.length === 1) return { ...alone.headOf(views[0], trusted), endpoint };
    alone.end();
    const { askedAt } = views[0].value;
    const target = secondOf(views.map(({ value }) => value.target));
    const known = { askedAt, target, isLone: false, endpoint, doubt: null };
    if (!common.head) return { ...known, ...(await forked(views)), agreed: false, trusted };
    forkedSince = null;
    last = common.head;
    witnesses.noteReached(asked, last);
    for (const each of common.forked) {
      endpoints.noteDoubt(each.endpoint, `has another block ${last.number} than two others`);
    }
    return { ...known, head: last, agreed: true, trusted: trustIn(trusted, last, askedAt), fault: null };
  };
}

/** The greatest number that two endpoints reach. */
const secondOf = (numbers: readonly bigint[]): bigint =>
  [...numbers].sort((one, other) => smallNumber(other - one))[1] ?? 0n;
