import type { TreasuryMove } from './queries.ts';

export const placeNames: Record<TreasuryMove['from'], string> = {
  addresses: 'Deposit addresses',
  treasury: 'Treasury',
  vault: 'Vault',
  operator: 'Outside',
};

/** Who ordered a transfer, or what was decided about it. */
export function standingOf({ to, payout_id, decision, is_gone }: TreasuryMove): string {
  if (is_gone) return 'a reorg took it back';
  if (payout_id !== null) return 'a payout';
  if (decision?.owner === 'operator') return 'your own';
  if (decision) return decision.owner_name ?? decision.owner;
  return to === 'operator' ? 'nobody' : '';
}
