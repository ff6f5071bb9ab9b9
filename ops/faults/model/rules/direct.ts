import type { Verdict } from '../../world/world.ts';
import { type DirectRead, type Moved, notReleased } from '../reading.ts';
import { feeBasisPoints } from '../standing.ts';
import { decimalOf } from '../units.ts';
import { doubled, lost, wrong } from '../verdicts.ts';

// What is paid directly ends in the merchant's own address and the host's, to the unit, and nowhere else.

/** `before`: what both sides held of each asset when the seed began. */
export function judgeDirect(read: DirectRead, before: DirectRead['held']): Verdict[] {
  return [
    ...read.strange.flatMap(({ reference, address }) =>
      wrong(`${reference} was shown ${address}, which follows from no address of its merchant`),
    ),
    ...judgeWays(read),
    ...judgeParts(read),
    ...[...read.held.keys()].flatMap((asset) => judgeSums(asset, read, before)),
  ];
}

const sumOf = (moves: readonly Moved[]): bigint => moves.reduce((sum, { units }) => sum + units, 0n);

/** A deposit goes to its splitter alone, and what a splitter holds to its two sides. */
function judgeWays({ deposits, splits, moves }: DirectRead): Verdict[] {
  return moves.flatMap(({ asset, from, to, units, transaction }) => {
    const split = splits.find(({ splitter }) => splitter === from);
    const deposit = deposits.get(from)?.splitter;
    const allowed = split ? [split.merchant, split.host] : deposit ? [deposit] : [to];
    if (allowed.some((each) => each === to)) return [];
    return wrong(`${units} units of ${asset} left the direct address ${from} for ${to} by ${transaction}`);
  });
}

/** Of each release the host gets its basis points, rounded down, and the merchant the rest. */
function judgeParts({ splits, moves }: DirectRead): Verdict[] {
  return splits.flatMap(({ splitter, host }) => {
    const left = moves.filter(({ from }) => from === splitter);
    const releases = Map.groupBy(left, ({ transaction, asset }) => `${transaction} of ${asset}`);
    return [...releases].flatMap(([release, parts]) => {
      const wanted = (sumOf(parts) * feeBasisPoints) / 10_000n;
      const toHost = sumOf(parts.filter(({ to }) => to === host));
      if (toHost === wanted) return [];
      return wrong(`of the release ${release} the host got ${toHost} units and not ${wanted}`);
    });
  });
}

/** What came to the direct addresses of an asset arrived at both sides, and Florin says that nothing is on the way. */
function judgeSums(
  asset: string,
  { deposits, splits, moves, held, onTheWay }: DirectRead,
  before: DirectRead['held'],
): Verdict[] {
  const isSplitter = (address: string): boolean => splits.some(({ splitter }) => splitter === address);
  const own = moves.filter((each) => each.asset === asset);
  const paid = own.filter(({ from, to }) => deposits.has(to) || (isSplitter(to) && !deposits.has(from)));
  const released = own.filter(({ from }) => isSplitter(from));
  const left = sumOf(paid) - sumOf(released);
  if (left !== 0n) return lost(`${left} units of ${asset} that were paid directly: a part ${notReleased}`);
  const got = (held.get(asset) ?? 0n) - (before.get(asset) ?? 0n);
  const sides = new Set<string>(splits.flatMap(({ merchant, host }) => [merchant, host]));
  const fineOf = (all: readonly Moved[]): bigint => all.reduce((sum, { fine }) => sum + fine, 0n);
  // Both sides may spend what is theirs, as for refunds, and be given something besides.
  const wanted =
    fineOf(own.filter(({ to }) => sides.has(to))) - fineOf(own.filter(({ from }) => sides.has(from)));
  const said = onTheWay?.get(asset) ?? 0n;
  const difference = `${asset}: merchant and host have ${decimalOf(got)} more than before and not ${decimalOf(wanted)}`;
  return [
    ...(got < wanted ? lost(difference) : got > wanted ? doubled(difference) : []),
    ...(said === 0n
      ? []
      : wrong(`${asset}: all was released, and ${decimalOf(said)} are said to be on the way`)),
  ];
}
