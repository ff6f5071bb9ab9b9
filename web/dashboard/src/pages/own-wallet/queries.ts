import type { UseQueryResult } from '@tanstack/react-query';
import type { WaitingTransfers } from '../../../../../gateway/src/payments/api/console-answers/refunds.ts';
import type {
  DirectMove,
  DirectPayment,
  OwnAddresses,
} from '../../../../../gateway/src/treasury/direct/console-answers.ts';
import { type Page, type Query, useList, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type { DirectMove, DirectPayment };
export type OwnAddressItem = OwnAddresses['items'][number];
export type WaitingRefund = WaitingTransfers['items'][number];
/** The transfer by which a refund is answered. */
export type Transfer = NonNullable<WaitingRefund['transfer']>;

/** The addresses of the business's own to which payments settle, and those that may have one. */
export function useOwnAddresses(): UseQueryResult<OwnAddresses> {
  return useRead<OwnAddresses>(useScope().path('/own-addresses'));
}

const isMoving = ({ state }: DirectPayment): boolean => state === 'at_address' || state === 'on_the_way';

/** What came for payments that settle directly, of all of them or of one; read again while something is on the way. */
export function useDirectPayments(query: Query, enabled = true): UseQueryResult<Page<DirectPayment>> {
  return useList<DirectPayment>(useScope().path('/direct-payments'), query, isMoving, enabled);
}

/** What reached both sides, and what others sent to the contracts that divide it. */
export function useDirectMoves(query: Query, enabled: boolean): UseQueryResult<Page<DirectMove>> {
  return useList<DirectMove>(useScope().path('/direct-moves'), query, undefined, enabled);
}

/** The refunds that wait for a transfer out of an own address. */
export function useWaitingTransfers(): UseQueryResult<WaitingTransfers> {
  return useRead<WaitingTransfers>(useScope().path('/waiting-transfers'));
}
