import { after } from '../kit/clock.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { type Id, newId } from '../kit/ids.ts';
import type { OwnAddressSettings } from './own-addresses.ts';

export type IntegrationId = Id<'integration'>;
export type Mode = 'test' | 'live';
export type FeePayer = 'merchant' | 'customer';
export type Approval = 'none' | 'requested' | 'approved' | 'rejected' | 'suspended';

/** Basis points of the amount, plus `fixed`, between `floor` and `cap`: decimals in the payment's currency. */
export type FeeTerms = { bps: number; fixed?: string; floor?: string; cap?: string | null };

/**
 * How much less than is due completes a payment: `percent` of it (0 to 5, two decimals), and at the same time no more than
 * `most` US dollars, a decimal.
 */
export type ShortTolerance = { percent: number; most: string };

/** What an owner decided about funding users in one mode. */
export type FundingSettings = {
  enabled: boolean;
  /** The most of a UTC day, as decimals by asset code; an asset without one has no limit. */
  limits: Readonly<Record<string, string>>;
  /** What the sums of its days are kept under; null: there never was a limit. */
  allowanceId: string | null;
};

export type Integration = {
  id: IntegrationId;
  name: string;
  approval: Approval;
  fee: FeeTerms;
  feePayer: FeePayer;
  liveDeadlineSeconds: number;
  lateWindowSeconds: number;
  /** How long the quotes of a live priced payment hold, from the first. */
  quoteSeconds: number;
  /** Basis points that are added to a price before it is quoted; a discount where they are less than nothing. */
  priceAdjustment: number;
  shortTolerance: ShortTolerance;
  testClockSeconds: number;
  allowPrivateWebhooks: boolean;
  /** Where customers go when their payment has no address of its own. */
  successUrl: string | null;
  failureUrl: string | null;
  fundings: Readonly<Partial<Record<Mode, FundingSettings>>>;
  /** The domain of its own at which its hosted page is; null: that is at the installation's address. */
  pageDomain: string | null;
  ownAddresses: OwnAddressSettings;
};

/** The domain of an integration's page as SQL, for the alias `i`: null until it was proved. */
export const pageDomainSql = 'CASE WHEN i.page_domain_verified_at IS NOT NULL THEN i.page_domain END';

/** The columns of an integration, for joins with the alias `i`. */
export const integrationColumns = `i.id AS integration_id, i.name, i.approval, i.fee, i.fee_payer,
  i.live_deadline_seconds, i.late_window_seconds, i.quote_seconds, i.price_adjustment, i.short_tolerance,
  i.test_clock_seconds::float8 AS test_clock_seconds, i.allow_private_webhooks,
  i.success_url, i.failure_url, i.fundings, ${pageDomainSql} AS page_domain, i.own_addresses`;

export type IntegrationRow = {
  integration_id: IntegrationId;
  name: string;
  approval: Approval;
  fee: FeeTerms;
  fee_payer: FeePayer;
  live_deadline_seconds: number;
  late_window_seconds: number;
  quote_seconds: number;
  price_adjustment: number;
  short_tolerance: ShortTolerance;
  test_clock_seconds: number;
  allow_private_webhooks: boolean;
  success_url: string | null;
  failure_url: string | null;
  fundings: Integration['fundings'];
  page_domain: string | null;
  own_addresses: OwnAddressSettings;
};

export function integrationOf(row: IntegrationRow): Integration {
  return {
    id: row.integration_id,
    name: row.name,
    approval: row.approval,
    fee: row.fee,
    feePayer: row.fee_payer,
    liveDeadlineSeconds: row.live_deadline_seconds,
    lateWindowSeconds: row.late_window_seconds,
    quoteSeconds: row.quote_seconds,
    priceAdjustment: row.price_adjustment,
    shortTolerance: row.short_tolerance,
    testClockSeconds: row.test_clock_seconds,
    allowPrivateWebhooks: row.allow_private_webhooks,
    successUrl: row.success_url,
    failureUrl: row.failure_url,
    fundings: row.fundings,
    pageDomain: row.page_domain,
    ownAddresses: row.own_addresses,
  };
}

/** Makes an integration. It may take test payments at once, and live ones after approval. */
export async function createIntegration(
  tx: Tx,
  input: { name: string; merchantId?: string; allowPrivateWebhooks?: boolean },
  now: Date,
): Promise<IntegrationId> {
  const id = newId<'integration'>(now);
  await tx.query(
    `INSERT INTO integrations (id, name, merchant_id, allow_private_webhooks, created_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, input.name, input.merchantId ?? null, input.allowPrivateWebhooks ?? false, now],
  );
  return id;
}

export async function getIntegration(reader: Reader, id: IntegrationId): Promise<Integration> {
  const { rows } = await reader.query<IntegrationRow>(
    `SELECT ${integrationColumns} FROM integrations i WHERE i.id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) throw new Error(`No integration ${id}`);
  return integrationOf(row);
}

/** The time of the integration's test clock: the real time plus all advances. */
export function testTime(integration: Pick<Integration, 'testClockSeconds'>, now: Date): Date {
  return after(now, integration.testClockSeconds);
}

/** The time by which an integration's days and deadlines count in a mode: that of its test clock, or the real one. */
export function ownTimeOf(
  { integration, mode }: { integration: Pick<Integration, 'testClockSeconds'>; mode: Mode },
  now: Date,
): Date {
  return mode === 'test' ? testTime(integration, now) : now;
}

/** Advances the test clock by `seconds`; null sets it to the real time. */
export async function moveTestClock(tx: Tx, id: IntegrationId, seconds: number | null): Promise<void> {
  await tx.query(
    `UPDATE integrations
     SET test_clock_seconds = CASE WHEN $2::bigint IS NULL THEN 0 ELSE test_clock_seconds + $2::bigint END
     WHERE id = $1`,
    [id, seconds],
  );
}
