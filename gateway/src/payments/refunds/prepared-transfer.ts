import { type Static, Type } from 'typebox';
import { Decimal, named } from '../../kit/http/answers.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import { transferCall } from '../../rails/evm/send/words.ts';
import { safeFile } from '../../rails/evm/vault/safe-file.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../settlement/refund.ts';

/** The transfer that a merchant is asked for, ready to be signed (contract.md#direct). */
export const PreparedTransfer = Type.Object(
  {
    chain_id: Type.Integer(),
    token: Type.String({ description: "The token's contract: the transaction calls it." }),
    from: Type.String({ description: 'Your own address, at which the money is.' }),
    to: Type.String(),
    amount: Decimal,
    data: Type.String({ description: 'The call of `transfer`.' }),
    link: Type.String({
      description: 'The transfer as a link that wallets open, or read as a QR code (EIP-681).',
    }),
    safe: Type.String({ description: 'A file for the Transaction Builder of a Safe.' }),
  },
  named(
    'PreparedTransfer',
    'The transfer by which you answer a refund of money that went to your own address: exactly this `amount`, from `from` to `to`.',
  ),
);
export type PreparedTransfer = Static<typeof PreparedTransfer>;

/** Null for a refund that does not wait for a transfer of its merchant. */
export function preparedTransfer(
  { assets, reference }: { assets: Assets; reference: string },
  refund: Refund,
): PreparedTransfer | null {
  const call = callOf(refund);
  if (call === null) return null;
  const { chainId, from, to, token, data, units } = call;
  const amount = decimalOf(units, assets.get(refund.asset).scale);
  return {
    chain_id: chainId,
    ...{ token: checksummed(token), from: checksummed(from), to: checksummed(to) },
    ...{ amount, data },
    link: `ethereum:${checksummed(token)}@${chainId}/transfer?address=${checksummed(to)}&uint256=${units}`,
    safe: refundFile({ chainId, names: [nameOf(assets, reference, refund)], at: refund.createdAt }, [call]),
  };
}

type Call = { chainId: number; from: Hex; to: Hex; token: Hex; data: Hex; units: bigint };

/** The call of its token that a refund waits for; null: it waits for none. */
export function callOf({ status, transfer, to: written, units }: Refund): Call | null {
  const to = readAddress(written ?? '');
  if (status !== 'awaiting_transfer' || transfer === null || to === null) return null;
  const { chainId, token, from } = transfer;
  return { chainId, token: token as Hex, from: from as Hex, to, units, data: transferCall(to, units) };
}

/** A file for the Transaction Builder of a Safe that sends refunds of one address on one chain, in one transaction. */
function refundFile(
  { chainId, names, at }: { chainId: number; names: readonly string[]; at: Date },
  calls: readonly Call[],
): string {
  return safeFile({
    ...{ chainId, at, name: names.length === 1 ? 'Refund' : `${names.length} refunds` },
    description: names.join('\n'),
    calls: calls.map(({ token, data }) => ({ to: token, data })),
  });
}

/** A refund that waits for a transfer of its merchant, and its payment. */
export type WaitingRefund = { payment: Payment; refund: Refund };

/** A file for each own address on each chain: the owners of a Safe sign all refunds out of it at once. */
export function safeFiles(assets: Assets, waiting: readonly WaitingRefund[], at: Date) {
  const bySafe = Map.groupBy(waiting, ({ refund: { transfer } }) => `${transfer?.chainId} ${transfer?.from}`);
  return [...bySafe.values()].flatMap((own) => {
    const calls = own.flatMap(({ refund }) => callOf(refund) ?? []);
    const [first] = calls;
    const asset = own[0]?.refund.asset;
    if (!first || asset === undefined) return [];
    const names = own.map(({ payment, refund }) => nameOf(assets, payment.reference, refund));
    const file = refundFile({ chainId: first.chainId, names, at }, calls);
    return [{ network: assets.get(asset).network, from: first.from, refunds: calls.length, file }];
  });
}

const nameOf = (assets: Assets, reference: string, { asset, units }: Refund): string =>
  `${reference}: ${decimalOf(units, assets.get(asset).scale)} ${asset}`;
