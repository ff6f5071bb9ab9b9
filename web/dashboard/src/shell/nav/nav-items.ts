import {
  BadgeCheck,
  BanknoteArrowUp,
  Blocks,
  ChartColumn,
  Coins,
  DatabaseBackup,
  HeartPulse,
  Landmark,
  Link2,
  type LucideIcon,
  Mail,
  Scale,
  ScrollText,
  Settings,
  SquareTerminal,
  Store,
  UserCheck,
  Users,
  Vault,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { MerchantAttention, OperatorAttention } from '../../pages/attention/queries.ts';
import { t } from '../../texts/t.ts';

/** `waits`: the counts of what waits on this page. */
type Item<To extends string, Count> = { to: To; label: string; icon: LucideIcon; waits?: readonly Count[] };

const itemsOf =
  <Count = never>() =>
  <const To extends string>(...list: Item<To, Count>[]): readonly Item<To, Count>[] =>
    list;

/** What waits in test mode is not counted here. */
type Counts<Attention> = Exclude<keyof Attention, 'counted_up_to' | 'test'>;

/** How many things wait on a page; undefined before they were counted. */
export function waitingOn<Attention extends object>(
  { waits = [] }: { waits?: readonly Counts<Attention>[] },
  counts: Attention | undefined,
): number | undefined {
  return counts && waits.reduce((sum, name) => sum + Number(counts[name]), 0);
}

/** Pages of one integration in one mode. */
export const integrationItems = itemsOf<Counts<MerchantAttention>>()(
  { to: '/i/$integration/$mode/overview', label: t('Overview'), icon: ChartColumn },
  { to: '/i/$integration/$mode/payments', label: t('Payments'), icon: Coins },
  { to: '/i/$integration/$mode/payment-links', label: t('Payment links'), icon: Link2 },
  { to: '/i/$integration/$mode/webhooks', label: t('Webhooks'), icon: Webhook, waits: ['endpoints'] },
  { to: '/i/$integration/$mode/balances', label: t('Balances'), icon: Landmark, waits: ['payouts'] },
  { to: '/i/$integration/$mode/appeals', label: t('Appeals'), icon: Scale, waits: ['appeals'] },
  { to: '/i/$integration/$mode/developers', label: t('Developers'), icon: SquareTerminal },
  { to: '/i/$integration/$mode/settings', label: t('Settings'), icon: Settings },
);

/** Pages of one business. */
export const merchantItems = itemsOf()(
  { to: '/m/$merchant/integrations', label: t('Integrations'), icon: Blocks },
  { to: '/m/$merchant/team', label: t('Team'), icon: Users },
  { to: '/m/$merchant/audit', label: t('Audit log'), icon: ScrollText },
);

/** Pages of operators. */
export const operatorItems = itemsOf<Counts<OperatorAttention>>()(
  { to: '/operator/overview', label: t('Overview'), icon: ChartColumn },
  { to: '/operator/approvals', label: t('Approvals'), icon: BadgeCheck, waits: ['approvals'] },
  { to: '/operator/proposals', label: t('Proposals'), icon: UserCheck, waits: ['proposals'] },
  { to: '/operator/merchants', label: t('Merchants'), icon: Store },
  { to: '/operator/users', label: t('Users'), icon: Wallet },
  { to: '/operator/money', label: t('Money'), icon: Vault, waits: ['unmatched', 'moves'] },
  { to: '/operator/payouts', label: t('Payouts'), icon: BanknoteArrowUp, waits: ['payouts'] },
  { to: '/operator/currencies', label: t('Currencies'), icon: Coins, waits: ['rates'] },
  { to: '/operator/appeals', label: t('Appeals'), icon: Scale, waits: ['appeals'] },
  { to: '/operator/health', label: t('Health'), icon: HeartPulse, waits: ['deliveries', 'faults'] },
  { to: '/operator/backups', label: t('Backups'), icon: DatabaseBackup, waits: ['backups'] },
  { to: '/operator/messages', label: t('Messages'), icon: Mail },
  { to: '/operator/accounts', label: t('Accounts'), icon: Users },
  { to: '/operator/staff-log', label: t('Staff log'), icon: ScrollText },
);
