import type { Hex } from '../config/chains.ts';
import { proxyFactory } from './forwarders.ts';
import artifact from './splitter-factory.json' with { type: 'json' };

/** Between whom a splitter divides: the host gets the basis points (0 to 9999), the merchant the rest. */
export type Split = { merchant: Hex; host: Hex; basisPoints: number };

const factory = proxyFactory(artifact);

export const splitterFactoryBytecode = artifact.bytecode as Hex;

/** The address of the splitters' factory: the same on every chain, because it depends on the code alone. */
export const splitterFactoryAddress: Hex = factory.address;

/** Keccak-256 of the code that must be found at `splitterFactoryAddress`. */
export const splitterFactoryCodeHash: Hex = factory.codeHash;

/** The hash of what that factory deploys for each splitter (the `init_code_hash` of EIP-1014). */
export const splitterInitCodeHash: Hex = factory.initCodeHash;

const nobody = /^0x0{40}$/;

/**
 * The splitter of a merchant and a host, on every chain; lower case. It is computed without a chain: the factory derives
 * the same address. Throws RangeError where the factory refuses too: money sent there would be lost.
 */
export function splitterAddress({ merchant, host, basisPoints }: Split): Hex {
  const arePoints = Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints < 10_000;
  if (!arePoints || nobody.test(merchant) || nobody.test(host)) {
    throw new RangeError('There is no splitter for nobody, nor one that leaves the merchant nothing.');
  }
  const points: Hex = `0x${basisPoints.toString(16).padStart(64, '0')}`;
  return factory.proxyAddress(merchant, host, points);
}
