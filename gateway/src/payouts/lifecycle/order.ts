import type { Mode } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import { type FieldFault, Refusal, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { newId } from '../../kit/ids.ts';
import { placeHolds } from '../../ledger/holds.ts';
import type { Party } from '../../ledger/ledger.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Sending } from '../../rails/rail.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { payoutErrors } from '../payout/errors.ts';
import { insertPayouts } from '../payout/insert.ts';
import { type Payout, type PurposeName, unmoved, walletRail } from '../payout/payout.ts';
import { purposeOf } from '../payout/purposes.ts';
import { assertKnown } from '../rules/addresses.ts';
import {
  type Approval,
  assertApprovable,
  mostOf,
  type Needed,
  neededFor,
  noApprovals,
} from '../rules/approvers.ts';
import { notConfigured } from '../rules/availability.ts';
import { type KeyLimits, type Limited, takeLimits } from '../rules/limits.ts';
import { payoutSettingsOf } from '../rules/settings.ts';
import { payoutStop } from '../rules/stop.ts';
import { type PayoutTerms, payoutTermsOf } from '../rules/terms.ts';
import { recordPayoutEvents } from './events.ts';
import { orderOfRail, type PayoutDeps, transfersOf } from './state.ts';

/** One payout as it is asked for. */
export type Wanted = {
  asset: Asset;
  units: bigint;
  to: string;
  memo: string | null;
  reference?: string | null;
  description?: string | null;
  causeId?: string | null;
  /**
   * The account of the wallet that gets it, in place of an address; `to` then says whose it is in words. It waits until
   * its caller moves it, also without approval.
   */
  wallet?: Party | null;
};

/** Who asks: a person, a person by a key that they made, or a key without a maker. */
export type Requester = {
  accountId: string | null;
  /** As people read it. */
  name: string;
  /** Of the key that asks. */
  limits: KeyLimits | null;
  /** An operator asks, and another one has confirmed it: no approval of an operator is needed. */
  isConfirmed?: boolean;
};

export type OrderTerms = {
  /** Null: the operator's own payout. */
  owner: Owner | null;
  mode: Mode;
  purpose: PurposeName;
  debit: Party;
  requester: Requester;
  /** Destinations that need not be in the address book: the sender's own, or one that the customer named. */
  isAnyAddress?: boolean;
  /** Whether the operator's fee and minimum count; a refund has neither. */
  isCharged: boolean;
  approval?: Approval;
  /** They are parts of one order of so many units, and are approved as one. */
  asOne?: { id: string; units: bigint } | null;
  /** The owner's time, which a test clock moves; payouts otherwise go by the real time. */
  ownTime: Date;
};

/**
 * Orders payouts, all or none, in one transaction with their holds, their uses of limits, and their first event. Those
 * that need no approval are given to their rail at once. Refuses in the order of contract.md#payouts: the balance, the
 * address book, limits, then a reference that is taken and what cannot be sent now.
 */
export async function orderPayouts(
  tx: Tx,
  deps: PayoutDeps,
  terms: OrderTerms,
  wanted: readonly Wanted[],
): Promise<Payout[]> {
  const now = deps.now();
  const { owner } = terms;
  const termsOf = await payoutTermsOf(tx, [...new Set(wanted.map(({ asset }) => asset.code))]);
  const settings = owner && (await payoutSettingsOf(tx, owner));
  const needed = wanted.map((each) => neededFor(each, terms, termsOf(each.asset.code), settings));
  const drafts = wanted.map((each, index) =>
    draftOf(each, deps, {
      terms,
      payoutTerms: termsOf(each.asset.code),
      needed: terms.asOne ? mostOf(needed) : (needed[index] ?? noApprovals),
    }),
  );
  await refuseOwn(tx, drafts);
  const purpose = purposeOf(deps.purposes, terms.purpose);
  const transfers = drafts.flatMap(({ payout }) => transfersOf(payout, deps.purposes));
  await placeHolds(tx, transfers, now, purpose);
  if (owner && settings?.knownAddressesOnly && !terms.isAnyAddress) {
    const toAddresses = wanted.filter(({ wallet = null }) => wallet === null);
    await assertKnown(tx, owner, toAddresses, terms.ownTime);
  }
  // The operator's limit is of live money alone.
  const operator = (asset: string) => (terms.mode === 'live' ? termsOf(asset).dailyLimit : null);
  const limits = { key: terms.requester.limits, operator };
  const above = await takeLimits(tx, limits, drafts.map(limitedOf), now);
  if (above && owner) await assertApprovable(tx, owner, { requester: terms.requester, above });
  const payouts = await insertPayouts(
    tx,
    drafts.map(({ payout }) => (above ? approvedFirst(payout) : payout)),
    now,
  );
  for (const draft of drafts) await assertSendable(tx, draft);
  if (!purpose.ignoresStop && (await payoutStop(tx)) !== null) throw refuse(payoutErrors.payouts_stopped);
  for (const payout of payouts) if (payout.status === 'queued') await orderOfRail(tx, deps, payout);
  const waiting = payouts.filter((payout) => payout.approvalsNeeded + payout.operatorApprovalsNeeded > 0);
  await recordPayoutEvents(
    tx,
    deps,
    waiting.map((payout) => ({ payout, event: announced(payout) })),
    now,
  );
  await deps.mailApprovers?.(tx, waiting);
  return payouts;
}

/** Orders one payout, as `orderPayouts` does. */
export async function orderPayout(
  tx: Tx,
  deps: PayoutDeps,
  terms: OrderTerms,
  wanted: Wanted,
): Promise<Payout> {
  const [payout] = await orderPayouts(tx, deps, terms, [wanted]);
  if (!payout) throw new Error(`A payout of purpose ${terms.purpose} was not ordered`);
  return payout;
}

/** What a payout counts in limits. What stays in a wallet of this installation counts in the operator's when it is withdrawn. */
function limitedOf({ asset, payout: { id: by, units, rail } }: Draft): Limited {
  return {
    asset,
    inKey: { by, units },
    inOperator: rail === walletRail ? undefined : { by, units },
  };
}

/** A payout above the limits of the key that asks: at least one person approves it. */
const approvedFirst = (payout: Payout): Payout => ({
  ...payout,
  status: 'awaiting_approval',
  approvalsNeeded: Math.max(payout.approvalsNeeded, 1),
});

/** Refuses what its rail cannot send now. Throws `payouts_unavailable`. */
async function assertSendable(tx: Tx, { asset, sending, payout }: Draft): Promise<void> {
  if (payout.rail === walletRail) return;
  const why = sending ? await sending.unavailable(tx, asset.code) : notConfigured;
  if (why !== null) throw refuse(payoutErrors.payouts_unavailable, { asset: asset.code, why });
}

const announced = ({ purpose }: Payout) =>
  purpose === 'merchant_payout' ? ('payout_awaiting_approval' as const) : null;

type Draft = { payout: Payout; asset: Asset; sending: Sending | undefined };

type Drafting = { terms: OrderTerms; payoutTerms: PayoutTerms; needed: Needed };

function draftOf(
  wanted: Wanted,
  { sendings, now }: PayoutDeps,
  { terms, payoutTerms: { fee, minimum }, needed: { approvals, operators } }: Drafting,
): Draft {
  const { asset, units, to, memo, wallet = null, causeId = null } = wanted;
  if (terms.isCharged && units < minimum) {
    const min = decimalOf(minimum, asset.scale);
    throw refuse(payoutErrors.below_minimum_payout, { min, asset: asset.currency });
  }
  const sending = wallet === null ? sendingFor(sendings, terms.mode, asset.code) : undefined;
  const charged = terms.isCharged ? fee : 0n;
  const createdAt = now();
  const payout: Payout = {
    id: newId<'payout'>(createdAt),
    integrationId: terms.owner?.integrationId ?? null,
    mode: terms.mode,
    purpose: terms.purpose,
    causeId,
    status: approvals + operators > 0 || wallet !== null ? 'awaiting_approval' : 'queued',
    asset: asset.code,
    units,
    fee: charged,
    rail: wallet === null ? (sending?.rail ?? '') : walletRail,
    debit: terms.debit,
    outside: wallet ?? sending?.outside ?? nowhere,
    holdId: newId(createdAt),
    feeHoldId: charged > 0n ? newId(createdAt) : null,
    ...{ to, memo, reference: wanted.reference ?? null, description: wanted.description ?? null },
    approvalsNeeded: approvals,
    operatorApprovalsNeeded: operators,
    requestedBy: terms.requester.accountId,
    requester: terms.requester.name,
    ...unmoved,
    together: terms.asOne?.id ?? null,
    createdAt,
  };
  return { payout, asset, sending };
}

const nowhere = { kind: 'external', owner: '' } as const;
const ownAddress = 'is an address at which this gateway takes payments';

/** Refuses addresses of this gateway: money sent there would be booked as a deposit of somebody. */
async function refuseOwn(tx: Tx, drafts: readonly Draft[]): Promise<void> {
  const found = new Map<Sending, ReadonlySet<string>>();
  for (const sending of new Set(drafts.flatMap((draft) => draft.sending ?? []))) {
    const sent = drafts.filter((draft) => draft.sending === sending);
    found.set(sending, await sending.ownOf(tx, [...new Set(sent.map(({ payout: { to } }) => to))]));
  }
  const { row, message } = invalid('to', ownAddress);
  const faults = drafts.flatMap(({ sending, payout: { to } }, index): FieldFault[] => {
    const isOwn = sending !== undefined && found.get(sending)?.has(to) === true;
    return isOwn ? [{ index, field: 'to', message }] : [];
  });
  if (faults.length === 0) return;
  throw new Refusal(row, message, { details: drafts.length > 1 ? faults : undefined });
}
