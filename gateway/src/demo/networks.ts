import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config/config.ts';
import { chainPresets } from '../rails/evm/config/presets.ts';
import { piNetworks } from '../rails/pi/horizon/network.ts';
import { demoChainDirectory, takenToken } from './chain/known.ts';
import { demoPiDirectory } from './pi/directory.ts';

/** Which demo networks run beside a gateway. Their coins are worth nothing. */
export type DemoNetworks = { chain: boolean; pi: boolean };

/**
 * Throws `ConfigError` where worthless coins could pay for something real: beside a public network, on an installation
 * that has or had a demo network, or without the demo's own integration.
 */
export function assertKeptApart(config: Config, wanted: DemoNetworks): void {
  const faults: string[] = [];
  const real = publicNetworkOf(config);
  const demos = [
    { name: 'a demo chain', there: wanted.chain || existsSync(demoChainDirectory(config.dataDir)) },
    { name: 'a demo Pi network', there: wanted.pi || existsSync(demoPiDirectory(config.dataDir)) },
  ];
  for (const { name } of real ? demos.filter(({ there }) => there) : []) {
    faults.push(
      `CONFIG_FILE has ${real}, and this installation has ${name}, whose coins are worth nothing and would count as live money: give one of them a DATA_DIR and a database of its own`,
    );
  }
  for (const option of ['chain', 'pi'] as const) {
    if (wanted[option] && config.demo === 'never')
      faults.push(`--${option} goes with the demo: DEMO must be 1`);
  }
  const clashing = wanted.chain ? takenToken(config) : undefined;
  if (clashing) faults.push(`CONFIG_FILE has a token of ${clashing.asset}, which --chain has as well`);
  if (wanted.pi && config.pi) faults.push('CONFIG_FILE has a Pi network, and --pi brings one as well');
  if (faults.length > 0) throw new ConfigError(faults);
}

/** The assets of the configured networks, and of the demo networks that the installation has, running or not. */
export async function networkAssets(config: Config): Promise<Set<string>> {
  const { chains, pi } = existsSync(demoChainDirectory(config.dataDir))
    ? await (await import('./chain/demo-config.ts')).withKeptDemoChain(config)
    : config;
  const codes = new Set(chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset)));
  if (pi || existsSync(demoPiDirectory(config.dataDir))) codes.add('pi');
  return codes;
}

function publicNetworkOf({ chains, pi }: Config): string | null {
  const chain = chains.find(({ id, isTest }) => chainPresets[id] && !isTest);
  if (chain) return `the public chain ${chain.name}`;
  const network = Object.values(piNetworks).find(({ passphrase }) => passphrase === pi?.passphrase);
  return network ? `the public network ${network.passphrase}` : null;
}
