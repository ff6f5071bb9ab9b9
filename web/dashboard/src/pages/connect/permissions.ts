import { t } from '../../texts/t.ts';

/** What a shop may ask for, in the words of the BTCPay API, and what each lets it do. */
export const permissionHelp = {
  'btcpay.store.canviewinvoices': t('Read payments'),
  'btcpay.store.cancreateinvoice': t('Create payments'),
  'btcpay.store.canmodifyinvoices': t('Cancel payments, and write to them'),
  'btcpay.store.canviewstoresettings': t('See the name and the ways to pay of this integration'),
  'btcpay.store.webhooks.canmodifywebhooks': t('Set up webhooks for itself'),
  'btcpay.store.cancreatenonapprovedpullpayments': t('Make refunds: money leaves your balance by these'),
} as const;

export type Permission = keyof typeof permissionHelp;

/** Money leaves by it, so nobody gives it without ticking it. */
export const refunds: Permission = 'btcpay.store.cancreatenonapprovedpullpayments';

/** Every shop gets this one. */
export const always: Permission = 'btcpay.store.canviewstoresettings';

const known = Object.keys(permissionHelp) as Permission[];

/** What of these is known, in the order of the page, and what is not. */
export function sorted(asked: readonly string[]): { known: Permission[]; unknown: string[] } {
  return {
    known: known.filter((name) => asked.includes(name)),
    unknown: asked.filter((name) => !known.some((each) => each === name)),
  };
}
