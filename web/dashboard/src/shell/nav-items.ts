import {
  BadgeCheck,
  BanknoteArrowUp,
  Blocks,
  ChartColumn,
  Coins,
  HeartPulse,
  Landmark,
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

type Item<To extends string> = { to: To; label: string; icon: LucideIcon };

function items<const To extends string>(...list: Item<To>[]): readonly Item<To>[] {
  return list;
}

/** Pages of one integration in one mode. */
export const integrationItems = items(
  { to: '/i/$integration/$mode/overview', label: 'Overview', icon: ChartColumn },
  { to: '/i/$integration/$mode/payments', label: 'Payments', icon: Coins },
  { to: '/i/$integration/$mode/webhooks', label: 'Webhooks', icon: Webhook },
  { to: '/i/$integration/$mode/balances', label: 'Balances', icon: Landmark },
  { to: '/i/$integration/$mode/appeals', label: 'Appeals', icon: Scale },
  { to: '/i/$integration/$mode/developers', label: 'Developers', icon: SquareTerminal },
  { to: '/i/$integration/$mode/settings', label: 'Settings', icon: Settings },
);

/** Pages of one business. */
export const merchantItems = items(
  { to: '/m/$merchant/integrations', label: 'Integrations', icon: Blocks },
  { to: '/m/$merchant/team', label: 'Team', icon: Users },
  { to: '/m/$merchant/audit', label: 'Audit log', icon: ScrollText },
);

/** Pages of operators. */
export const operatorItems = items(
  { to: '/operator/approvals', label: 'Approvals', icon: BadgeCheck },
  { to: '/operator/proposals', label: 'Proposals', icon: UserCheck },
  { to: '/operator/merchants', label: 'Merchants', icon: Store },
  { to: '/operator/users', label: 'Users', icon: Wallet },
  { to: '/operator/money', label: 'Money', icon: Vault },
  { to: '/operator/payouts', label: 'Payouts', icon: BanknoteArrowUp },
  { to: '/operator/currencies', label: 'Currencies', icon: Coins },
  { to: '/operator/disputes', label: 'Disputes', icon: Scale },
  { to: '/operator/health', label: 'Health', icon: HeartPulse },
  { to: '/operator/messages', label: 'Messages', icon: Mail },
  { to: '/operator/accounts', label: 'Accounts', icon: Users },
  { to: '/operator/staff-log', label: 'Staff log', icon: ScrollText },
);
