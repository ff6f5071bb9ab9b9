import { t } from '../../../texts/t.ts';
import type { TreasuryMove } from './queries.ts';

export const placeNames: Record<TreasuryMove['from'], string> = {
  addresses: t('Deposit addresses'),
  treasury: t('Treasury'),
  vault: t('Vault'),
  operator: t('Outside'),
};

/** Who ordered a transfer, or what was decided about it. */
export function standingOf({ to, payout_id, decision, is_gone }: TreasuryMove): string {
  if (is_gone) return t('a reorg took it back');
  if (payout_id !== null) return t('a payout');
  if (decision?.owner === 'operator') return t('your own');
  if (decision) return decision.owner_name ?? decision.owner;
  return to === 'operator' ? t('nobody') : '';
}
