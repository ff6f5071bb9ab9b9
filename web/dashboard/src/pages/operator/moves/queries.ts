import type { TreasuryMove } from '../../../../../../gateway/src/treasury/console-answers.ts';
import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';

export type { TreasuryMove };

const path = '/console/operator/treasury-moves';

/** The reads that are stale after a decision whose money left. */
export const movePaths = [
  path,
  ...['totals', 'receivables', 'reserves', 'payout-stop'].map((name) => `/console/operator/${name}`),
];

export const useMoves = (state: 'open' | 'all', cursor: string | undefined) =>
  useList<TreasuryMove>(path, { state, cursor });

export type MoveOwner = 'operator' | 'business' | 'user';

export const assignMove = (id: string, body: { owner: MoveOwner; of?: string; reason: string }) =>
  api(`${path}/${id}/assign`, { body });
