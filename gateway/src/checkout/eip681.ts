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
  return `ethereum:${callOf(destination)}`;
}

/** A wallet app, and the address that opens the transfer in it. */
export type WalletLink = { wallet: string; href: string };

/**
 * The transfer for wallet apps whose makers document such an address. None holds the address of this page: whoever opens one
 * without the app sends it to the maker, and a transfer is public anyway.
 */
export function walletLinks(destination: EvmDestination): WalletLink[] {
  const { address, amount, evm } = destination;
  const coin = trustCoins[evm.chainId];
  const query = new URLSearchParams({ asset: `c${coin}_t${evm.token}`, address, amount });
  return [
    { wallet: 'MetaMask', href: `https://link.metamask.io/send/${callOf(destination)}` },
    ...(coin ? [{ wallet: 'Trust Wallet', href: `https://link.trustwallet.com/send?${query}` }] : []),
  ];
}

/** Trust Wallet's numbers of chains. */
const trustCoins: Record<number, number | undefined> = { 1: 60, 56: 20_000_714, 137: 966, 8453: 8453 };

/** A call of `transfer` of the token's contract, with the units as an integer. */
function callOf(destination: EvmDestination): string {
  const { address, evm } = destination;
  return `${evm.token}@${evm.chainId}/transfer?address=${address}&uint256=${unitsToSend(destination)}`;
}
