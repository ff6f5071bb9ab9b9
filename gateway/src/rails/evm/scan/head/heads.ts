import type { ChainConfig } from '../../config/chains.ts';
import type { Header } from '../../rpc/block.ts';
import { tolerableLagOf } from '../../rpc/endpoints.ts';

/** What an endpoint answered about the end of its chain. */
export type HeadView = { head: Header; target: bigint; askedAt: Date };

type Noted = HeadView & {
  /** When its head was first this one. */
  changedAt: Date;
  /** Since when the head of another endpoint has moved and its own has not; null: it moved last. */
  missedAt: Date | null;
};

const stillSeconds = 30;
const stillBlocks = 10;

/** An endpoint whose head has not moved for so long, while others' have, counts as silent. */
export const silentAfterMs = ({ blockSeconds }: Pick<ChainConfig, 'blockSeconds'>): number =>
  Math.max(stillSeconds, stillBlocks * blockSeconds) * 1000;

export type Heads = ReturnType<typeof createHeads>;

/** The last answers of a chain's endpoints, by their names. */
export function createHeads(chain: Pick<ChainConfig, 'blockSeconds'>) {
  const heads = new Map<string, Noted>();
  const limitMs = silentAfterMs(chain);
  const tolerableLag = BigInt(tolerableLagOf(chain));

  /** It is no fault while no other head moves either: some chains make no blocks when they are idle. */
  function standsStill(name: string, { missedAt, askedAt }: Noted): boolean {
    if (missedAt === null || askedAt.getTime() - missedAt.getTime() < limitMs) return false;
    return others(name).some((other) => askedAt.getTime() - other.changedAt.getTime() < limitMs);
  }

  /** Whether it is a node that was just started and reads old blocks, while another one has new blocks. */
  function isOld(name: string, { head, askedAt }: Noted): boolean {
    if (askedAt.getTime() - head.at.getTime() < limitMs) return false;
    return others(name).some(
      (other) =>
        other.head.number > head.number + tolerableLag &&
        Math.abs(askedAt.getTime() - other.head.at.getTime()) < limitMs,
    );
  }

  const others = (name: string): Noted[] =>
    [...heads].flatMap(([each, view]) => (each === name ? [] : [view]));

  return {
    note(name: string, view: HeadView): void {
      const last = heads.get(name);
      const hasMoved = last !== undefined && last.head.number !== view.head.number;
      if (hasMoved) {
        // It moved at some time since it was last asked.
        for (const other of others(name)) {
          other.missedAt ??= last.askedAt > other.changedAt ? last.askedAt : other.changedAt;
        }
      }
      const { changedAt, missedAt } = last && !hasMoved ? last : { changedAt: view.askedAt, missedAt: null };
      heads.set(name, { ...view, changedAt, missedAt });
    },
    /** The endpoints that count as silent because their heads have not moved for so long, while others' have. */
    still(): string[] {
      return [...heads].filter((each) => standsStill(...each) || isOld(...each)).map(([name]) => name);
    },
  };
}
