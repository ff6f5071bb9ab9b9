import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import {
  type FieldParser,
  fieldReader,
  invalid,
  nameField,
  returnAddressParser,
} from '../../kit/http/fields.ts';
import type { Seal } from '../../kit/seal.ts';
import { isAccountEmail } from '../accounts/accounts.ts';
import { identityErrors } from '../errors.ts';
import { createIntegration, type IntegrationId } from '../integration.ts';
import { colorOf } from '../integrations/brand-color.ts';
import { type DomainCheck, domainOf } from '../integrations/domain.ts';
import { postalAddressParser } from '../integrations/letterhead.ts';
import { isHttpsOrLoopback } from '../integrations/redirects.ts';
import {
  changeSettings,
  integrationsOf,
  maxIntegrations,
  type SettingsChange,
  setDomainVerified,
  settingsOf,
} from '../integrations/settings.ts';
import { shortToleranceParser } from '../integrations/short-tolerance.ts';
import type { Guards } from '../keys/guards.ts';
import { createSigningKey } from '../keys/keys.ts';
import { IntegrationAnswer, IntegrationPage, MadeIntegration, Settings } from './answers/integrations.ts';
import type { Console } from './console.ts';

const Name = nameField(100);
const readName = fieldReader(Type.Object({ name: Name }));

const maxUrlLength = 2048;
const Url = Type.Optional(Type.String({ maxLength: maxUrlLength, format: 'uri' }));
const SettingsBody = Type.Object({
  name: Type.Optional(Name),
  domain: Type.Optional(Type.String({ maxLength: 253 })),
  success_url: Url,
  failure_url: Url,
  contact_email: Type.Optional(Type.String({ maxLength: 254 })),
  contact_url: Url,
  brand_color: Type.Optional(Type.String({ maxLength: 7 })),
  page_sentence: Type.Optional(nameField(140)),
  postal_address: Type.Optional(Type.String({ maxLength: 400 })),
  tax_number: Type.Optional(nameField(60)),
  live_deadline_seconds: Type.Optional(Type.Integer({ minimum: 300, maximum: 86_400 })),
  late_window_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 * 86_400 })),
  quote_seconds: Type.Optional(Type.Integer({ minimum: 300, maximum: 3_600 })),
  price_adjustment: Type.Optional(Type.Integer({ minimum: -1_000, maximum: 1_000 })),
  short_tolerance: Type.Optional(Type.Object({ percent: Type.Number(), most: Type.String() })),
  fee_payer: Type.Optional(Type.Enum(['merchant', 'customer'])),
});

const domainParser: FieldParser<string | undefined> = (value) => {
  if (value === undefined) return undefined;
  const domain = typeof value === 'string' ? domainOf(value) : null;
  return domain ?? invalid('domain', 'must be the name of a domain, such as shop.example');
};

/** As strict as for an account: customers write to this address. */
const contactParser: FieldParser<string | undefined> = (value) => {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' && value.length <= 254 && isAccountEmail(value)
    ? value
    : invalid('contact_email', 'must be an e-mail address');
};

const colorParser: FieldParser<string | undefined> = (value) => {
  if (value === undefined) return undefined;
  const color = typeof value === 'string' ? colorOf(value) : null;
  return color ?? invalid('brand_color', 'must be a colour such as #7a1f3d');
};

const readSettings = fieldReader(
  SettingsBody,
  {},
  {
    domain: domainParser,
    success_url: urlParser('success_url'),
    failure_url: urlParser('failure_url'),
    contact_email: contactParser,
    contact_url: urlParser('contact_url'),
    brand_color: colorParser,
    postal_address: postalAddressParser,
    short_tolerance: shortToleranceParser,
  },
);

/** Both modes use the same addresses, so live mode's rule applies from the start. */
function urlParser(field: 'success_url' | 'failure_url' | 'contact_url'): FieldParser<string | undefined> {
  const parse = returnAddressParser(field, maxUrlLength);
  return (value, input) => {
    const address = parse(value, input);
    if (address === undefined || address instanceof Refusal) return address;
    return isHttpsOrLoopback(address.url) ? address.uri : invalid(field, 'must be an https URL');
  };
}

export type IntegrationConsoleDeps = {
  db: Database;
  guards: Guards;
  seal: Seal;
  checkDomain: DomainCheck;
  now: Clock;
};

const may = { may: 'manage integrations' } as const;

/** A merchant's integrations and their settings. */
export function integrationConsoleRoutes(dashboard: Console, deps: IntegrationConsoleDeps): void {
  const { db, seal, now } = deps;

  dashboard.get(
    'merchant',
    '/integrations',
    { may: 'read', answer: IntegrationPage },
    async ({ merchant }) => ({
      message: 'Integrations',
      data: { items: await integrationsOf(db, merchant.id), next_cursor: null },
    }),
  );

  dashboard.write(
    'POST',
    'merchant',
    '/integrations',
    { ...may, secrets: true, answer: MadeIntegration },
    async (tx, { merchant, body }) => {
      const { name } = readName(body);
      await assertRoom(tx, merchant.id);
      const id = await createIntegration(tx, { name, merchantId: merchant.id }, now());
      const owner = { integrationId: id, mode: 'test' } as const;
      const change = { action: 'made an integration', ...about(id), after: { name } };
      const data = { id, name, secret_key: await createSigningKey(tx, seal, owner, now()) };
      return { message: 'Integration created', data, change };
    },
  );

  dashboard.get(
    'integration',
    '',
    { may: 'read', answer: IntegrationAnswer },
    async ({ integration, merchant, role }) => ({
      message: 'Integration',
      data: { ...(await settingsOf(db, integration.id)), merchant, role },
    }),
  );

  dashboard.write(
    'PATCH',
    'integration',
    '',
    { ...may, answer: Settings },
    async (tx, { integration, body }) => {
      const changed = await changeSettings(tx, integration.id, wantedOf(body));
      const change = changed && { action: 'changed settings', ...about(integration.id), ...changed };
      return { message: 'Settings saved', data: await settingsOf(tx, integration.id), change };
    },
  );

  domainRoutes(dashboard, deps);
}

function domainRoutes(dashboard: Console, deps: IntegrationConsoleDeps): void {
  const { db, guards, checkDomain, now } = deps;

  dashboard.act(
    'POST',
    'integration',
    '/domain/verify',
    { ...may, answer: Settings },
    async (call, record) => {
      const { id } = call.integration;
      const { domain, domain_proof: proof, domain_verified_at } = await settingsOf(db, id);
      if (domain === null || proof === null) throw invalid('domain', 'is not set yet');
      if (domain_verified_at === null) {
        // Each attempt calls a server that may belong to somebody else.
        await guards.rare(call.request, `domain of ${id}`);
        const check = await checkDomain(domain, proof);
        if ('why' in check) throw refuse(identityErrors.domain_not_verified, { domain, why: check.why });
        await transaction(db, async (tx) => {
          if (!(await setDomainVerified(tx, id, { domain, proof }, now()))) return;
          await record(tx, { action: 'verified the domain', ...about(id), after: { domain } });
        });
      }
      return { message: 'Domain verified', data: await settingsOf(db, id) };
    },
  );
}

function about(id: IntegrationId) {
  return { subject: { kind: 'integration', id }, integrationId: id };
}

/** Locks the merchant, so that the limit also holds for integrations that are made at the same time. */
async function assertRoom(tx: Tx, merchantId: string): Promise<void> {
  await tx.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
  const held = await integrationsOf(tx, merchantId);
  if (held.length >= maxIntegrations) {
    throw refuse(identityErrors.too_many_integrations, { limit: `${maxIntegrations}` });
  }
}

const removable = [
  ...(['domain', 'success_url', 'failure_url', 'contact_email', 'contact_url'] as const),
  ...(['brand_color', 'page_sentence'] as const),
  ...(['postal_address', 'tax_number'] as const),
];

/** The changes in the body: an empty field removes the setting. */
function wantedOf(body: unknown): SettingsChange {
  const wanted: SettingsChange = readSettings(body);
  const sent = body as Record<string, unknown> | null;
  for (const field of removable) {
    if (sent?.[field] === null || sent?.[field] === '') wanted[field] = null;
  }
  return wanted;
}
