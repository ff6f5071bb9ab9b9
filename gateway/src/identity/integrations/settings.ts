import { isDeepStrictEqual } from 'node:util';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { randomToken } from '../../kit/ids.ts';
import {
  type Approval,
  type FeePayer,
  type FeeTerms,
  type IntegrationId,
  pageDomainSql,
  type ShortTolerance,
} from '../integration.ts';
import type { Color } from './brand-color.ts';

/** An integration as its merchant sees it in the dashboard. */
export type Settings = {
  id: IntegrationId;
  name: string;
  logo_url: string | null;
  domain: string | null;
  /** What proves the domain, in a TXT record or a file; null without a domain. */
  domain_proof: string | null;
  domain_verified_at: Date | null;
  success_url: string | null;
  failure_url: string | null;
  /** Where customers write to. */
  contact_email: string | null;
  contact_url: string | null;
  /** The colour of the merchant's brand on the hosted page; as they chose it, so the page corrects it. */
  brand_color: Color | null;
  /** Stands above the amount on the hosted page. */
  page_sentence: string | null;
  /** The head of receipts: the lines of an address, and the number under which the business pays taxes. */
  postal_address: string | null;
  tax_number: string | null;
  live_deadline_seconds: number;
  late_window_seconds: number;
  quote_seconds: number;
  price_adjustment: number;
  short_tolerance: ShortTolerance;
  fee_payer: FeePayer;
  fee: FeeTerms;
  approval: Approval;
  approval_reason: string | null;
  created_at: Date;
};

/** What a merchant may change; null removes an optional setting. */
export type SettingsChange = Partial<
  Pick<
    Settings,
    | 'name'
    | 'domain'
    | 'success_url'
    | 'failure_url'
    | 'contact_email'
    | 'contact_url'
    | 'brand_color'
    | 'page_sentence'
    | 'postal_address'
    | 'tax_number'
    | 'live_deadline_seconds'
    | 'late_window_seconds'
    | 'quote_seconds'
    | 'price_adjustment'
    | 'short_tolerance'
    | 'fee_payer'
  >
>;

/** The address of an integration's logo as SQL, for the alias `i`; null without one. */
export const logoUrlSql = `'/logo/' || i.id || '/' || i.logo_hash`;

/** What customers see of an integration as SQL, for the alias `i`: its domain only once that was proved. */
export const shopSql = `json_build_object('name', i.name, 'logoUrl', ${logoUrlSql},
  'domain', CASE WHEN i.domain_verified_at IS NOT NULL THEN i.domain END,
  'contact', json_build_object('email', i.contact_email, 'url', i.contact_url),
  'letterhead', json_build_object('address', i.postal_address, 'taxNumber', i.tax_number),
  'color', i.brand_color, 'sentence', i.page_sentence, 'pageDomain', ${pageDomainSql})`;

const columns = `i.id, i.name, ${logoUrlSql} AS logo_url, i.domain,
  'florin-verification=' || i.domain_token AS domain_proof, i.domain_verified_at, i.success_url, i.failure_url,
  i.contact_email, i.contact_url, i.postal_address, i.tax_number, i.brand_color, i.page_sentence,
  i.live_deadline_seconds, i.late_window_seconds, i.quote_seconds, i.price_adjustment,
  i.short_tolerance, i.fee_payer, i.fee, i.approval, i.approval_reason, i.created_at`;

export async function settingsOf(reader: Reader, id: IntegrationId): Promise<Settings> {
  const { rows } = await reader.query<Settings>(`SELECT ${columns} FROM integrations i WHERE i.id = $1`, [
    id,
  ]);
  const row = rows[0];
  if (!row) throw new Error(`No integration ${id}`);
  return row;
}

/** How many integrations a merchant may have. Their list needs no pages. */
export const maxIntegrations = 100;

/** A merchant's integrations, oldest first. */
export async function integrationsOf(reader: Reader, merchantId: string): Promise<Settings[]> {
  const { rows } = await reader.query<Settings>(
    `SELECT ${columns} FROM integrations i WHERE i.merchant_id = $1 ORDER BY i.created_at LIMIT $2`,
    [merchantId, maxIntegrations],
  );
  return rows;
}

/** Makes the changes and returns what changed, before and after; null when nothing did. */
export async function changeSettings(
  tx: Tx,
  id: IntegrationId,
  wanted: SettingsChange,
): Promise<{ before: SettingsChange; after: SettingsChange } | null> {
  await tx.query('SELECT FROM integrations WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const current = await settingsOf(tx, id);
  const changed = (Object.keys(wanted) as (keyof SettingsChange)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], current[name]),
  );
  if (changed.length === 0) return null;
  const after = { ...pick(current, changed), ...pick(wanted, changed) };
  const next = { ...current, ...after };
  await tx.query(
    `UPDATE integrations SET name = $2, success_url = $3, failure_url = $4, live_deadline_seconds = $5,
       late_window_seconds = $6, fee_payer = $7, contact_email = $8, contact_url = $9, quote_seconds = $10,
       price_adjustment = $11, short_tolerance = $12, brand_color = $13, page_sentence = $14,
       postal_address = $15, tax_number = $16 WHERE id = $1`,
    [
      id,
      next.name,
      next.success_url,
      next.failure_url,
      next.live_deadline_seconds,
      next.late_window_seconds,
      next.fee_payer,
      next.contact_email,
      next.contact_url,
      next.quote_seconds,
      next.price_adjustment,
      next.short_tolerance,
      next.brand_color,
      next.page_sentence,
      next.postal_address,
      next.tax_number,
    ],
  );
  if (changed.includes('domain')) await setDomain(tx, id, next.domain);
  return { before: pick(current, changed), after };
}

/** A new domain has to be proved again. */
async function setDomain(tx: Tx, id: IntegrationId, domain: string | null): Promise<void> {
  await tx.query(
    'UPDATE integrations SET domain = $2, domain_token = $3, domain_verified_at = NULL WHERE id = $1',
    [id, domain, domain === null ? null : randomToken()],
  );
}

/** Notes that a domain was proved, unless it was changed meanwhile or was proved before. */
export async function setDomainVerified(
  tx: Tx,
  id: IntegrationId,
  { domain, proof }: { domain: string; proof: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE integrations SET domain_verified_at = $4
     WHERE id = $1 AND domain = $2 AND 'florin-verification=' || domain_token = $3 AND domain_verified_at IS NULL`,
    [id, domain, proof, now],
  );
  return rowCount === 1;
}

function pick(from: SettingsChange, names: (keyof SettingsChange)[]): SettingsChange {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
