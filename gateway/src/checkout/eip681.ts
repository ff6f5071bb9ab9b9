import { unitsOfDecimal } from '../money/money.ts';
import type { EvmTarget } from '../rails/rail.ts';
import type { CheckoutDestination } from './checkout-payment.ts';

/** A destination on an EVM chain. */
export type EvmDestination = CheckoutDestination & { evm: EvmTarget };

export function isEvm(destination: CheckoutDestination | undefined): destination is EvmDestination {
  return destination?.evm !== undefined;
}

/** Units that are still to be sent, at the token's own scale: exact, because the amount has no more decimals. */
export function unitsToSend({ amount, evm }: EvmDestination): bigint {
  const units = unitsOfDecimal(amount, evm.scale);
  if (units === null) throw new Error(`${amount} is not an amount with ${evm.scale} decimals`);
  return units;
}

/** The transfer as a URI that wallet apps read from a QR code (ERC-681). */
export function transferUri(destination: EvmDestination): string {
  const { address, evm } = destination;
  return `ethereum:${evm.token}@${evm.chainId}/transfer?address=${address}&uint256=${unitsToSend(destination)}`;
}
