import type { Clock } from '../kit/clock.ts';
import type { Assets, Currency } from '../money/assets.ts';
import type { AssetCode } from '../money/money.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createEvmRail } from '../rails/evm/rail.ts';
import { joinRails } from '../rails/join.ts';
import { type PiConfig, piAsset } from '../rails/pi/horizon/network.ts';
import { createPiRail } from '../rails/pi/rail.ts';
import type { Rail } from '../rails/rail.ts';

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

/** The assets that the installation's networks take. */
export function assetsTaken({ chains, pi }: Pick<RailsDeps, 'chains' | 'pi'>): AssetCode[] {
  const codes = chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset));
  return [...new Set([...codes, ...(pi ? [piAsset] : [])])];
}

/** The currencies that the installation's networks take. */
export function currenciesTaken({ assets, ...networks }: Omit<RailsDeps, 'now'>): Currency[] {
  return [...new Set(assetsTaken(networks).map((code) => assets.get(code).currency))];
}
