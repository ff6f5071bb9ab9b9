import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../support/console.ts';

/** Who opens a page: a person of the console, or `nobody`, who is not signed in. */
export type Visitor = Person | 'nobody';

/** The pages of the dashboard, with the visitor and the searches that each is tested with. `$name` is a value of the fixture. */
export type PageTable = Record<string, { as: Visitor; searches: readonly string[] }>;

const member = (...searches: string[]) => ({ as: 'owner', searches: ['', ...searches] }) as const;
const staff = (...searches: string[]) => ({ as: 'operator', searches: ['', ...searches] }) as const;
const anyone = { as: 'nobody', searches: [''] } as const;

const integration = '/i/$integration/$mode';

/** Every page with its tabs and drawers. */
export const pages: PageTable = {
  '/sign-in': { as: 'nobody', searches: ['', '?next=/account&done=password'] },
  '/sign-up': anyone,
  '/setup': anyone,
  '/verify-email': { as: 'nobody', searches: ['?token=unknown'] },
  '/reset-password': { as: 'nobody', searches: ['', '?token=unknown&reason=weak'] },
  '/invitation/$token': anyone,
  '/account': member('?tab=security', '?tab=sessions', '?tab=activity'),
  '/new-business': member(),
  '/connect': member(
    '?permissions=btcpay.store.cancreateinvoice,btcpay.store.canviewinvoices,btcpay.store.cancreatenonapprovedpullpayments,other&application=A+shop&redirect=https://shop.example/connected',
  ),
  '/m/$merchant/integrations': member('?new=one'),
  '/m/$merchant/team': member(),
  '/m/$merchant/audit': member('?open=$openEntry'),
  [`${integration}/overview`]: member('?days=90'),
  [`${integration}/payments`]: member(
    '?status=failed',
    '?q=nothing-like-this',
    '?open=$reference',
    '?make=payment',
  ),
  [`${integration}/payments/$reference`]: member(),
  [`${integration}/payment-links`]: member('?make=link'),
  [`${integration}/webhooks`]: member(
    '?tab=deliveries',
    '?tab=verify',
    '?edit=$openEndpoint',
    '?check=$openEndpoint',
    '?chaos=$openEndpoint',
    '?tab=deliveries&reference=$reference',
    '?tab=deliveries&delivery=$openDelivery',
  ),
  [`${integration}/balances`]: member(
    '?tab=statements',
    '?tab=payouts',
    '?tab=top-up',
    '?open=fund-user',
    '?open=withdraw',
  ),
  [`${integration}/appeals`]: member('?open=$openAppeal'),
  [`${integration}/developers`]: member('?open=$openRequest', '?tab=clock', '?tab=listen', '?tab=snippets'),
  [`${integration}/settings`]: member('?tab=page', '?tab=keys', '?tab=payouts', '?tab=notices', '?tab=live'),
  '/operator/overview': staff(),
  '/operator/setup': staff(),
  '/operator/appeals': staff('?open=$openAppeal'),
  '/operator/approvals': staff('?tab=approved', '?open=$integration'),
  '/operator/proposals': staff('?tab=ended'),
  '/operator/merchants': staff('?tab=integrations', '?tab=integrations&open=$integration'),
  '/operator/merchants/$merchant': staff(),
  '/operator/users': staff('?tab=frozen'),
  '/operator/users/$user': staff('?tab=test'),
  '/operator/money': staff(
    '?tab=reserves',
    '?tab=vault',
    '?tab=sweeps',
    '?tab=fees',
    '?tab=suspense',
    '?tab=strays',
    '?tab=strays&open=$openDeposit',
    '?tab=strays&kind=decided',
    '?tab=other-coins',
    '?tab=unordered&open=$openMove',
    '?tab=receivables',
    '?tab=owed&kind=overpayments',
    '?tab=audit',
  ),
  '/operator/payouts': staff('?tab=all&open=$openPayout', '?tab=by-hand', '?tab=terms'),
  '/operator/currencies': staff('?open=USDC'),
  '/operator/health': staff('?tab=deliveries', '?tab=doctor'),
  '/operator/backups': staff(),
  '/operator/messages': staff('?tab=outbox'),
  '/operator/accounts': staff(),
  '/operator/staff-log': staff(),
};

/** A document of its own, which the router does not know. */
export const ownDocuments = ['/sign-in'];

/** Pages that only lead on; those of the second factor and of a key for a shop are looked at in their own tests. */
export const leadingOn = ['/', '/second-factor', '/connect/send'];

const routes = join(import.meta.dirname, '../../../web/dashboard/src/routes');
const below: Record<string, string> = {
  root: '',
  doors: '',
  shell: '',
  merchant: '/m/$merchant',
  integration: '/i/$integration/$mode',
  operator: '/operator',
};

/** The paths of the dashboard's pages, read from the router's sources. */
export function pathsOfRouter(): string[] {
  const sources = readdirSync(routes).map((name) => readFileSync(join(routes, name), 'utf8'));
  const found = sources.flatMap((source) => [...source.matchAll(/\bpage\((\w+), '([^']+)'/g)]);
  return found.map(([, parent = '', path = '']) => `${below[parent]}${path}`).sort();
}
