import type { UseQueryResult } from '@tanstack/react-query';
import type { OwnAddresses } from '../../../../../gateway/src/treasury/direct/console-answers.ts';
import { useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type OwnAddressItem = OwnAddresses['items'][number];

/** The addresses of the business's own to which payments settle, and those that may have one. */
export function useOwnAddresses(): UseQueryResult<OwnAddresses> {
  return useRead<OwnAddresses>(useScope().path('/own-addresses'));
}
