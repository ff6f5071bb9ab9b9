import type { UseQueryResult } from '@tanstack/react-query';
import type { Proposal } from '../../../../../../gateway/src/identity/console/answers/proposals.ts';
import { api } from '../../../api/client.ts';
import { type Page, useList } from '../../../api/list.ts';

export type { Proposal };

const proposalsPath = '/console/operator/proposals';

export function useProposals(
  state: 'open' | 'ended',
  cursor: string | undefined,
): UseQueryResult<Page<Proposal>> {
  return useList<Proposal>(proposalsPath, { state, cursor });
}

export type Ending = 'confirm' | 'refuse' | 'cancel';

export const endProposal = (id: string, how: Ending, body: object = {}) =>
  api(`${proposalsPath}/${id}/${how}`, { body });
