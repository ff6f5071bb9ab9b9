import { type Static, Type } from 'typebox';
import { Decimal, named } from '../../kit/http/answers.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import { transferCall } from '../../rails/evm/send/words.ts';
import { safeFile } from '../../rails/evm/vault/safe-file.ts';
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
    safe: refundFile({ chainId, names: [`${reference}: ${amount} ${refund.asset}`], at: refund.createdAt }, [
      call,
    ]),
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
export function refundFile(
  { chainId, names, at }: { chainId: number; names: readonly string[]; at: Date },
  calls: readonly Call[],
): string {
  return safeFile({
    ...{ chainId, at, name: names.length === 1 ? 'Refund' : `${names.length} refunds` },
    description: names.join('\n'),
    calls: calls.map(({ token, data }) => ({ to: token, data })),
  });
}
