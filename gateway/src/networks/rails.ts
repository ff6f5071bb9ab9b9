import type { Clock } from '../kit/clock.ts';
import type { Assets } from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createEvmRail } from '../rails/evm/rail.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import { createPiRail } from '../rails/pi/rail.ts';
import { joinRails, type Rail } from '../rails/rail.ts';

export type RailsDeps = {
  chains: readonly ChainConfig[];
  /** Null: the installation takes no PI. */
  pi: PiConfig | null;
  assets: Assets;
  now: Clock;
};

/** The rails of the installation's networks as one: where payments can be sent, as the database has it. */
export function createRails({ chains, pi, assets, now }: RailsDeps): Rail {
  const evm = createEvmRail({ chains, assets, now });
  return joinRails(pi ? [evm, createPiRail({ pi, assets, now })] : [evm]);
}
