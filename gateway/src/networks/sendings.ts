import type { Clock } from '../kit/clock.ts';
import type { Assets } from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createEvmSending, createPlainSending } from '../rails/evm/payouts/sending.ts';
import { type PiNetworks, pisOf } from '../rails/pi/horizon/network.ts';
import { createPiSending } from '../rails/pi/send/sending.ts';
import type { Sending } from '../rails/rail.ts';
import { createSimulatedSending } from '../rails/simulated/sends.ts';
import { destinationFault } from './destinations.ts';

export type SendingsDeps = PiNetworks & {
  chains: readonly ChainConfig[];
  assets: Assets;
  now: Clock;
};

/**
 * How the installation sends: simulated money; money of networks out of vaults, by a signer or by hand; out of treasuries, by hand;
 * and PI, where there is a key. What networks of test mode send is test money.
 */
export function createSendings({ chains, assets, now, ...pis }: SendingsDeps): Sending[] {
  // Assets of test networks are never simulated.
  const codes = assets.of('live').all.map(({ code }) => code);
  const simulated = createSimulatedSending(codes, destinationFault, now);
  const evm = chains.flatMap((chain) => evmSending(chain, now) ?? []);
  const pi = pisOf(pis).flatMap((each) => (each.signer ? [createPiSending(each, now)] : []));
  return [simulated, ...evm, ...pi];
}

function evmSending(chain: ChainConfig, now: Clock): Sending | null {
  const { vault, paysByHand, receiving } = chain;
  if (vault) return createEvmSending(chain, vault, now);
  return paysByHand && receiving.kind === 'forwarder'
    ? createPlainSending(chain, receiving.treasury, now)
    : null;
}
