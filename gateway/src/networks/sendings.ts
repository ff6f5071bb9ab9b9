import type { Clock } from '../kit/clock.ts';
import type { Assets } from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createEvmSending } from '../rails/evm/payouts/sending.ts';
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

/** How test money is sent, and live money out of vaults, with a signer or by hand, and of Pi where there is a key. */
export function createSendings({ chains, pi, assets, now }: SendingsDeps): Sending[] {
  const codes = assets.all.map(({ code }) => code);
  const simulated = createSimulatedSending(codes, destinationFault, now);
  const vaults = chains.flatMap((chain) => (chain.vault ? [createEvmSending(chain, chain.vault, now)] : []));
  return [simulated, ...vaults, ...(pi?.signer ? [createPiSending(pi, now)] : [])];
}
