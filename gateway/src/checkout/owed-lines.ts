import type { Reader } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { Payment } from '../payments/payment/payment.ts';
import { type Explorers, transactionUrl } from '../payments/read/explorers.ts';
import { addressRuleOf, type Claimed, type LinkDeps } from '../payments/refunds/claim.ts';
import { owedTo } from '../payments/refunds/refundable.ts';
import { sendersAmong } from '../payments/refunds/senders.ts';
import { isOfCurrency, overpaidUnits, type transfersOf } from '../payments/settlement/received.ts';
import { businessShare, type Refund } from '../payments/settlement/refund.ts';
import { refundsOf } from '../payments/settlement/refund-rows.ts';
import { payoutTermsOf } from '../payouts/rules/terms.ts';
import { isPiCode } from '../rails/pi/horizon/network.ts';
import type { OwedLine, RefundLine } from './owed.ts';

export type OwedDeps = LinkDeps & { assets: Assets; explorers: Explorers };

/** The refunds of a payment, and what its customer may claim, as its page shows them. */
export async function owedOf(
  reader: Reader,
  deps: OwedDeps,
  payment: Payment,
  transfers: Transfers,
): Promise<{ refunds: RefundLine[]; owed: OwedLine[] }> {
  const refunds = payment.hasRefunds ? await refundsOf(reader, payment.id) : [];
  const claims: Claimable[] = refunds
    .filter(({ status }) => status === 'awaiting_destination')
    .map((refund) => ({ ...refund, refundId: refund.id, share: businessShare(refund.parts) }));
  if (mayBeOwed(deps.assets, payment, transfers)) {
    for (const [asset, units] of await owedTo(reader, deps.assets, payment)) {
      claims.push({ refundId: null, asset, units, share: 0n, madeBy: null, isDirect: false });
    }
  }
  const termsOf = await payoutTermsOf(reader, [...new Set(claims.map(({ asset }) => asset))]);
  const owed: OwedLine[] = [];
  for (const claim of claims) {
    const { code, scale, currency, network } = deps.assets.get(claim.asset);
    const { minimum } = termsOf(code);
    const rule = await addressRuleOf(reader, deps, payment, claim);
    owed.push({
      refundId: claim.refundId,
      ...{ asset: code, network, currency },
      amount: decimalOf(claim.units, scale),
      units: claim.units,
      hasMemo: isPiCode(code),
      signers: sendersAmong(transfers, refunds, claim).filter((address) => isEvmAddress.test(address)),
      // What the merchant sends has no minimum, and who signs it sees the address.
      belowMinimum: claim.units < minimum && !claim.isDirect ? decimalOf(minimum, scale) : null,
      otherAddress: claim.isDirect && rule === 'approved' ? 'accepted' : rule,
    });
  }
  return { refunds: refunds.map((refund) => refundLine(deps, transfers, refund)), owed };
}

type Transfers = Awaited<ReturnType<typeof transfersOf>>;
type Claimable = Claimed & { refundId: string | null; isDirect: boolean };

/** Whether anything can be owed without a refund. The ledger is read only then. */
function mayBeOwed(assets: Assets, payment: Payment, transfers: Transfers): boolean {
  const hasOther = transfers.some((each) => each.state === 'final' && !isOfCurrency(assets, payment, each));
  return hasOther || overpaidUnits(assets, payment, transfers) > 0n;
}

/** What wallets on EVM chains sign with; Pi's wallet signs no texts. */
const isEvmAddress = /^0x[0-9a-f]{40}$/;

function refundLine(
  { assets, explorers }: Pick<OwedDeps, 'assets' | 'explorers'>,
  transfers: Transfers,
  { id, status, asset, units, to, memo, transaction }: Refund,
): RefundLine {
  const { scale, currency, network } = assets.get(asset);
  const rail = transfers.find((each) => each.asset === asset)?.rail;
  return {
    ...{ id, status, asset, network, currency, to, memo, transaction },
    amount: decimalOf(units, scale),
    explorerUrl: rail && transaction ? transactionUrl(explorers, rail, transaction) : null,
  };
}
