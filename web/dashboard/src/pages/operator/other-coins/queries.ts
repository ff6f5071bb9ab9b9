import type { OtherCoin } from '../../../../../../gateway/src/networks/console-answers.ts';
import { useList } from '../../../api/list.ts';

export type { OtherCoin };

export const useOtherCoins = (cursor: string | undefined) =>
  useList<OtherCoin>('/console/operator/other-coins', { cursor });
