import type { Clock } from '../kit/clock.ts';
import type { Assets } from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createEvmSending, createPlainSending } from '../rails/evm/payouts/sending.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import { createPiSending } from '../rails/pi/send/sending.ts';
import type { Sending } from '../rails/rail.ts';
import { createSimulatedSending } from '../rails/simulated/sends.ts';
import { destinationFault } from './destinations.ts';

export type SendingsDeps = {
  chains: readonly ChainConfig[];
  /** Null: the installation takes no PI. */
  pi: PiConfig | null;
  assets: Assets;
  now: Clock;
};

/**
 * How the installation sends: test money; live money out of vaults, by a signer or by hand; out of treasuries, by hand;
 * and PI, where there is a key.
 */
export function createSendings({ chains, pi, assets, now }: SendingsDeps): Sending[] {
  const codes = assets.all.map(({ code }) => code);
  const simulated = createSimulatedSending(codes, destinationFault, now);
  const evm = chains.flatMap((chain) => evmSending(chain, now) ?? []);
  return [simulated, ...evm, ...(pi?.signer ? [createPiSending(pi, now)] : [])];
}

function evmSending(chain: ChainConfig, now: Clock): Sending | null {
  const { vault, paysByHand, receiving } = chain;
  if (vault) return createEvmSending(chain, vault, now);
  return paysByHand && receiving.kind === 'forwarder'
    ? createPlainSending(chain, receiving.treasury, now)
    : null;
}
