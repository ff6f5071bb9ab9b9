import { Keypair, type OperationRecord } from '@stellar/stellar-sdk';
import { credit, debit } from './accounts.ts';
import { type AssetName, assetOf, issuerOf, nameOf, native, unitsOf } from './amounts.ts';
import type { Applied, Place } from './apply.ts';
import * as effect from './effects.ts';
import { type Party, partyOf } from './envelope.ts';

type PathPayment = Extract<OperationRecord, { type: 'pathPaymentStrictReceive' | 'pathPaymentStrictSend' }>;
type Amounts = { sent: bigint; delivered: bigint };

// There are no order books here: whoever issued an asset changes it, at this rate.
const creditsPerCoin = 4n;

/** Applies a path payment: of one asset all along, or of coins and an issued asset in either direction. */
export function applyPath({ draft, baseReserve }: Place, record: PathPayment, source: Party): Applied {
  const to = partyOf(record.destination);
  const [from, into] = [nameOf(record.sendAsset), nameOf(record.destAsset)];
  if (!draft.get(to.account)) return { code: 'op_no_destination' };
  const amounts = amountsOf(record, from, into);
  if (typeof amounts === 'string') return { code: amounts };
  const { sent, delivered } = amounts;
  const dealer = from === into ? null : issuerOf(from === native ? into : from)!;
  if (dealer === source.account) return { code: 'op_cross_self' };
  const fault =
    credit(draft, to.account, into, delivered) ??
    debit(draft, source.account, from, sent, baseReserve) ??
    (dealer && trade(draft, dealer, { from, into, ...amounts }, baseReserve));
  if (fault) return { code: fault };
  const claimed = dealer ? [claimOf(dealer, from, into, amounts)] : [];
  const success = { offers: claimed, last: lastOf(to, into, delivered) };
  const effects = [effect.credited(to, into, delivered), effect.debited(source, from, sent)];
  if (dealer) {
    const [left, arrived] = [
      { asset: from, units: sent },
      { asset: into, units: delivered },
    ];
    const seller = partyOf(dealer);
    effects.push(effect.traded(source, seller, left, arrived), effect.traded(seller, source, arrived, left));
  }
  return { code: 'op_success', payload: { success }, effects, amounts };
}

function amountsOf(record: PathPayment, from: AssetName, into: AssetName): Amounts | string {
  if (from !== into && from !== native && into !== native) return 'op_too_few_offers';
  if (record.type === 'pathPaymentStrictReceive') {
    const delivered = unitsOf(record.destAmount);
    const sent = from === into ? delivered : into === native ? delivered * creditsPerCoin : up(delivered);
    return sent > unitsOf(record.sendMax) ? 'op_over_source_max' : { sent, delivered };
  }
  const sent = unitsOf(record.sendAmount);
  const delivered = from === into ? sent : from === native ? sent * creditsPerCoin : sent / creditsPerCoin;
  if (delivered === 0n) return 'op_too_few_offers';
  return delivered < unitsOf(record.destMin) ? 'op_under_dest_min' : { sent, delivered };
}

const up = (credits: bigint): bigint => (credits + creditsPerCoin - 1n) / creditsPerCoin;

/** What the issuer gives and takes; what it issues itself comes from nowhere. */
function trade(
  draft: Place['draft'],
  dealer: string,
  { from, into, sent, delivered }: Amounts & { from: AssetName; into: AssetName },
  baseReserve: bigint,
): string | null {
  if (!draft.get(dealer)) return 'op_too_few_offers';
  const fault = debit(draft, dealer, into, delivered, baseReserve) ?? credit(draft, dealer, from, sent);
  return fault && 'op_too_few_offers';
}

function claimOf(dealer: string, from: AssetName, into: AssetName, { sent, delivered }: Amounts): object {
  const orderBook = {
    sellerId: partyXdr(dealer),
    offerId: 1n,
    assetSold: assetOf(into).toXdrObject().toXdrObject(),
    amountSold: delivered,
    assetBought: assetOf(from).toXdrObject().toXdrObject(),
    amountBought: sent,
  };
  return { type: 1, orderBook };
}

function lastOf(to: Party, asset: AssetName, amount: bigint): object {
  return { destination: partyXdr(to.account), asset: assetOf(asset).toXdrObject().toXdrObject(), amount };
}

const partyXdr = (account: string): object => Keypair.fromPublicKey(account).xdrPublicKey().toXdrObject();
