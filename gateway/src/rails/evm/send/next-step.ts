import type { UnderWay } from './under-way.ts';
import { countOf, type Receipt, type View } from './view.ts';

/** A transaction that is not mined after this many blocks is sent with a higher fee. */
const stuckBlocks = 10;
const stuckSecondsAtLeast = 60;

export function stuckSeconds(blockSeconds: number): number {
  return Math.max(stuckSecondsAtLeast, stuckBlocks * blockSeconds);
}

/** What to do with a transaction under way, by what the chain shows. */
export type Step =
  | { kind: 'mined' | 'final'; receipt: Receipt }
  | { kind: 'unmined' | 'send' | 'replace' | 'overtaken' | 'not overtaken' | 'replaced' | 'wait' };

/** Decides the step from the facts alone. `isStuck`: its newest attempt is old. */
export function nextStep(each: UnderWay, view: View, isStuck: boolean): Step {
  const receipts = each.attempts.flatMap(({ hash }) => view.receipts.get(hash) ?? []);
  const [receipt] = receipts;
  if (receipt) {
    if (receipt.blockNumber <= view.final) return { kind: 'final', receipt };
    return each.hash === receipt.hash ? { kind: 'wait' } : { kind: 'mined', receipt };
  }
  // An endpoint that has not reached its block does not know it yet.
  if (each.minedAt !== null && view.head < each.minedAt) return { kind: 'wait' };
  if (each.state === 'mined') return { kind: 'unmined' };
  const count = countOf(view, each.sender);
  if (count > each.nonce) {
    // Believed once the block in which it was first seen is final.
    if (each.overtakenAt === null) return { kind: 'overtaken' };
    return { kind: each.overtakenAt <= view.final ? 'replaced' : 'wait' };
  }
  if (each.overtakenAt !== null) return { kind: 'not overtaken' };
  if (each.isRival) return { kind: 'wait' };
  // A transaction above the chain's next nonce waits for those before it, whatever it offers.
  return { kind: isStuck && each.state === 'sent' && count === each.nonce ? 'replace' : 'send' };
}
