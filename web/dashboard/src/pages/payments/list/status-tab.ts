import { t } from '../../../texts/t.ts';
import type { PaymentStatus } from '../../../ui/display/status-badge.tsx';
import type { PaymentTotals } from '../queries.ts';
import type { PaymentsSearch } from '../search.ts';

export type StatusTab = { name: string; statuses: PaymentStatus[] | undefined };

export const statusTabs: readonly StatusTab[] = [
  { name: t('All'), statuses: undefined },
  { name: t('Waiting'), statuses: ['unlinked', 'linked'] },
  { name: t('Pending'), statuses: ['pending'] },
  { name: t('Completed'), statuses: ['completed'] },
  { name: t('In appeal'), statuses: ['in-appeal'] },
  { name: t('Failed'), statuses: ['failed'] },
  { name: t('Cancelled'), statuses: ['cancelled'] },
];

/** The tab of these statuses; undefined: they are a mix of their own. */
export function tabOf({ status }: PaymentsSearch): StatusTab | undefined {
  return statusTabs.find(({ statuses }) => statuses?.join() === status?.join());
}

type Counted = { payment_status: PaymentStatus; count: number };

/** The groups of these statuses, or of all. */
export function groupsOf<Group extends Counted>(
  groups: readonly Group[],
  statuses: PaymentStatus[] | undefined,
): Group[] {
  return groups.filter(({ payment_status }) => statuses?.includes(payment_status) ?? true);
}

const figures = new Intl.NumberFormat('en');
const sum = (groups: readonly Counted[]): number => groups.reduce((all, { count }) => all + count, 0);

/** How many payments have these statuses: `12`, or `10,000+` where only the newest were counted. */
export function countWords(totals: PaymentTotals, statuses: PaymentStatus[] | undefined): string {
  const isAll = sum(totals.groups) < totals.counted_up_to;
  return `${figures.format(sum(groupsOf(totals.groups, statuses)))}${isAll ? '' : '+'}`;
}
