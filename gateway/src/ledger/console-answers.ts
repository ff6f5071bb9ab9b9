import { type Static, Type } from 'typebox';
import { Mode } from '../identity/console/answers/integrations.ts';
import { Decimal, Id, orNull, pageSchema, Time } from '../kit/http/answers.ts';
import { currencies } from '../money/assets.ts';

// The answers of the operators' calls on the whole installation's money. Amounts are decimals of their asset.

const text = Type.String();
const count = Type.Integer();

/** The sum of all accounts of each kind; `sum`, over all kinds, is zero in a sound ledger. */
export const AssetTotals = Type.Object({
  mode: Mode,
  asset: text,
  currency: orNull(Type.Enum(currencies)),
  network: orNull(text),
  business: Decimal,
  user: Decimal,
  suspense: Decimal,
  payable: Decimal,
  receivable: Decimal,
  /** On the way to merchants' own addresses: nobody's here (contract.md#direct). */
  direct: Decimal,
  /** With the fees that are being withdrawn. */
  fees: Decimal,
  external: Decimal,
  sum: Decimal,
});
export type AssetTotals = Static<typeof AssetTotals>;
export const TotalsPage = pageSchema(AssetTotals);

/** What a business owes to the installation. */
export const Receivable = Type.Object({
  integration_id: Id,
  integration_name: text,
  merchant_id: orNull(Id),
  merchant_name: orNull(text),
  mode: Mode,
  asset: text,
  amount: Decimal,
});
export type Receivable = Static<typeof Receivable>;
export const ReceivablePage = pageSchema(Receivable);

export const IntegrationBalance = Type.Object({ mode: Mode, asset: text, available: Decimal, held: Decimal });
export type IntegrationBalance = Static<typeof IntegrationBalance>;
export const IntegrationBalancePage = pageSchema(IntegrationBalance);

export const AuditRun = Type.Object({
  id: Id,
  asked_by: text,
  /** `lost`: the process that ran it is gone. */
  state: Type.Enum(['running', 'clean', 'faults', 'failed', 'lost']),
  checks_done: count,
  checks_total: count,
  started_at: Time,
  ended_at: orNull(Time),
  report: orNull(
    Type.Object({
      accounts: count,
      transfers: count,
      entries: count,
      findings: Type.Array(Type.Object({ check: text, subject: text, found: text })),
    }),
  ),
  error: orNull(text),
});
export type AuditRun = Static<typeof AuditRun>;
export const AuditRunPage = pageSchema(AuditRun);

export const StartedAudit = Type.Object({ id: Id });
