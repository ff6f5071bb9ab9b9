import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Actor, type Change, recordChange } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import {
  type IntegrationLine,
  merchantDetail,
  resumeMerchant,
  searchIntegrations,
  searchMerchants,
  suspendMerchant,
} from '../merchants/operator-merchants.ts';
import {
  ChangedIntegrations,
  IntegrationLinePage,
  MerchantDetail,
  MerchantPage,
} from './answers/operators.ts';
import type { Console } from './console.ts';

const SearchQuery = Type.Object({
  ...pageFields,
  search: Type.Optional(Type.String({ maxLength: 200, format: 'text' })),
});
const readSearch = queryReader(SearchQuery);
const ReasonBody = Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1_000, format: 'text' }) });
const readReason = fieldReader(ReasonBody);

/** For operators: all businesses of the installation, and suspending or resuming one. */
export function operatorMerchantRoutes(dashboard: Console, { db, now }: { db: Database; now: Clock }): void {
  dashboard.get('operator', '/merchants', { answer: MerchantPage }, async ({ query }) => {
    const { search = '', ...page } = readSearch(query);
    const found = await pageById(page, (rows) => searchMerchants(db, { ...rows, search: search.trim() }));
    const items = found.items.map(({ created_at, suspended_at, ...merchant }) => ({
      ...merchant,
      created_at: created_at.toISOString(),
      suspended_at: suspended_at?.toISOString() ?? null,
    }));
    return { message: 'Merchants', data: { items, next_cursor: found.next_cursor } };
  });

  dashboard.get('operator', '/merchants/:merchant', { answer: MerchantDetail }, async ({ params, query }) => {
    const id = merchantIdOf(params);
    const found = await merchantDetail(db, id);
    if (!found) throw refuse(kitErrors.not_found);
    const { search: _, ...page } = readSearch(query);
    const integrations = await pageById(page, (rows) =>
      searchIntegrations(db, { ...rows, search: '', merchantId: id }),
    );
    return {
      message: 'Merchant',
      data: { ...found, integrations: { ...integrations, items: integrations.items.map(integrationView) } },
    };
  });

  dashboard.get('operator', '/integrations', { answer: IntegrationLinePage }, async ({ query }) => {
    const { search = '', ...page } = readSearch(query);
    const found = await pageById(page, (rows) =>
      searchIntegrations(db, { ...rows, search: search.trim(), merchantId: null }),
    );
    const items = found.items.map(integrationView);
    return { message: 'Integrations', data: { items, next_cursor: found.next_cursor } };
  });

  dashboard.write(
    'POST',
    'operator',
    '/merchants/:merchant/suspend',
    { fresh: true, answer: ChangedIntegrations },
    async (tx, call) => {
      const id = merchantIdOf(call.params);
      const { reason } = readReason(call.body);
      if (!(await merchantDetail(tx, id))) throw refuse(kitErrors.not_found);
      const stopped = await suspendMerchant(tx, id, reason, now());
      if (stopped === null) throw refuse(identityErrors.merchant_suspended);
      const integrations = await recordAll(tx, call.actor, stopped, now());
      const change = {
        action: 'suspended the business',
        subject: { kind: 'merchant', id },
        merchantId: id,
        after: { reason, integrations },
      };
      return { message: 'Business suspended', data: { integrations }, change };
    },
  );

  dashboard.propose(
    'POST',
    '/merchants/:merchant/resume',
    { kind: 'merchant_resume', title: 'Let a suspended business go on', answer: ChangedIntegrations },
    async (tx, { params, actor }) => {
      const id = merchantIdOf(params);
      const found = await merchantDetail(tx, id);
      if (!found) throw refuse(kitErrors.not_found);
      const resumed = await resumeMerchant(tx, id, now());
      if (resumed === null) throw refuse(identityErrors.merchant_not_suspended);
      const integrations = await recordAll(tx, actor, resumed, now());
      const change = {
        action: 'let the business go on',
        subject: { kind: 'merchant', id },
        merchantId: id,
        before: found.suspension && { reason: found.suspension.reason },
        after: { integrations },
      };
      return { message: 'Business resumed', data: { integrations }, change };
    },
  );
}

/** Writes an entry for each integration besides that of its merchant. Returns how many. */
async function recordAll(tx: Tx, actor: Actor, changes: Change[], at: Date): Promise<number> {
  for (const change of changes) await recordChange(tx, actor, change, at);
  return changes.length;
}

function merchantIdOf({ merchant = '' }: Record<string, string>): string {
  if (!isUuid(merchant)) throw refuse(kitErrors.not_found);
  return merchant;
}

function integrationView({ created_at, fee, ...integration }: IntegrationLine) {
  return {
    ...integration,
    fee: { bps: fee.bps, fixed: fee.fixed ?? '0', floor: fee.floor ?? '0', cap: fee.cap ?? null },
    created_at: created_at.toISOString(),
  };
}
