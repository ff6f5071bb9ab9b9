import type {
  PayoutStopData,
  PayoutTermsData,
  QueuedPayoutData,
} from '../../../../../../gateway/src/payouts/api/console-answers.ts';
import type {
  HandNetwork,
  PayoutExport,
} from '../../../../../../gateway/src/payouts/api/console-hand-answers.ts';
import { type Page, useList, useRead } from '../../../api/list.ts';
import { isOpen } from '../../payouts/queries.ts';

export type { HandNetwork, PayoutExport, PayoutTermsData, QueuedPayoutData };

const root = '/console/operator';
export const termsPath = `${root}/payout-terms`;
export const stopPath = `${root}/payout-stop`;
export const exportsPath = `${root}/payout-exports`;

export const useQueue = (kind: string, cursor: string | undefined) =>
  useList<QueuedPayoutData>(`${root}/payouts`, { kind, cursor }, isOpen);
export const useExports = () => useRead<Page<HandNetwork>>(exportsPath);
export const usePayoutTerms = () => useRead<Page<PayoutTermsData>>(termsPath);
export const useStop = () => useRead<PayoutStopData>(stopPath);
