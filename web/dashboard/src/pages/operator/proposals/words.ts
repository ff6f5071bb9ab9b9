import { t } from '../../../texts/t.ts';
import type { Proposal } from './queries.ts';

const words = {
  done: t('Done'),
  refused: t('Refused'),
  cancelled: t('Cancelled'),
  expired: t('Given up'),
  failed: t('Not possible'),
};

/** Where a proposal stands, in words. */
export function stateOf({ state, due_at, is_own }: Proposal): string {
  if (state !== 'open') return words[state];
  if (due_at !== null) return t('Waits for its day');
  return is_own ? t('Waits for another operator') : t('Waits for you');
}
