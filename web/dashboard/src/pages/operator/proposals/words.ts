import type { Proposal } from './queries.ts';

const words = {
  done: 'Done',
  refused: 'Refused',
  cancelled: 'Cancelled',
  expired: 'Given up',
  failed: 'Not possible',
};

/** Where a proposal stands, in words. */
export function stateOf({ state, due_at, is_own }: Proposal): string {
  if (state !== 'open') return words[state];
  if (due_at !== null) return 'Waits for its day';
  return is_own ? 'Waits for another operator' : 'Waits for you';
}
