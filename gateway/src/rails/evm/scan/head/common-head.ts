import { smallNumber } from '../../../../money/small-number.ts';
import type { Hex } from '../../config/chains.ts';
import { type Block, type Header, headerCall, requireHeader } from '../../rpc/block.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Answer } from '../blocks/agreement.ts';
import type { HeadView } from './heads.ts';

type View = Answer<HeadView>;

/** `lacking`: endpoints that do not answer for a block before their own heads. They do not count. */
export type Common = { head: Header | null; forked: View[]; lacking: View[] };

/**
 * The furthest block that two of these endpoints know, and the endpoints that are further ahead with another block in
 * its place; null where no two know the same.
 */
export async function commonHead(views: readonly View[]): Promise<Common> {
  const furthest = furthestFirst(views);
  const lacking: View[] = [];
  for (const [at, { value }] of furthest.entries()) {
    const forked: View[] = [];
    for (const further of furthest.slice(0, at)) {
      const known = await knownAs(further, value.head);
      if (known === 'same') return { head: value.head, forked, lacking };
      (known === 'other' ? forked : lacking).push(further);
    }
  }
  return { head: null, forked: [], lacking };
}

/**
 * For endpoints of which no two have the same block at the second one's head: the last common block, if they still
 * have it, or the furthest endpoint's block at that place.
 */
export async function forkedHead(views: readonly View[], before: Header | null): Promise<Header> {
  const [furthest, second] = furthestFirst(views) as [View, View];
  const isKnown = async (view: View) => before && (await knownAs(view, before)) === 'same';
  if (before && (await isKnown(furthest)) && (await isKnown(second))) return before;
  return await headerAt(furthest, second.value.head.number);
}

const furthestFirst = (views: readonly View[]): View[] =>
  [...views].sort((one, other) => smallNumber(other.value.head.number - one.value.head.number));

async function knownAs(view: View, { number, hash }: Block): Promise<'same' | 'other' | 'lacking'> {
  const { head } = view.value;
  const isSame = (own: Hex) => (own === hash ? 'same' : 'other');
  if (head.number === number + 1n) return isSame(head.parent);
  try {
    return isSame((await headerAt(view, number)).hash);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return 'lacking';
  }
}

/** Throws RpcFault. */
async function headerAt({ value: { head }, endpoint }: View, number: bigint): Promise<Header> {
  if (head.number === number) return head;
  const [answer] = await endpoint.batch([headerCall(number)]);
  return requireHeader(answer, number);
}
