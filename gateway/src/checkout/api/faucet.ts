import type { FastifyRequest } from 'fastify';
import type { Guards } from '../../identity/keys/guards.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { Faucet } from '../../rails/evm/config/chains.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { NoticeSlug } from '../notices.ts';

/**
 * Sends coins of a demo chain to the customer's wallet. Throws `not_found` when the payment cannot be paid on that
 * chain, and `rate_limited`.
 */
export async function giveCoins(
  { guards, faucet }: { guards: Guards; faucet?: Faucet | undefined },
  { destinations }: CheckoutPayment,
  wallet: string,
  request: FastifyRequest,
): Promise<NoticeSlug> {
  const chainId = destinations.find(({ evm }) => evm?.faucet)?.evm?.chainId;
  if (!faucet || chainId === undefined) throw refuse(kitErrors.not_found);
  const address = readAddress(wallet.trim());
  if (!address) return 'not_an_address';
  await guards.faucet(request, address);
  try {
    await faucet({ chainId, address });
    return 'test_coins_sent';
  } catch (error) {
    request.log.error({ err: error }, 'the demo chain could not send test coins');
    return 'test_coins_failed';
  }
}
