import type { Verdict } from '../world/world.ts';

// One objection each, as a list, so that it stands where there may be none.

export const lost = (said: string): Verdict[] => [{ kind: 'lost', said }];
export const doubled = (said: string): Verdict[] => [{ kind: 'doubled', said }];
export const wrong = (said: string): Verdict[] => [{ kind: 'wrong', said }];
