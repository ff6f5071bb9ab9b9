import { createLookUp, type LookUpDeps } from '../rails/evm/scan/look-up.ts';
import type { Chains } from './chains.ts';

/** An installation without chains. It may have had some: their transfers are still found. */
export function noChains({ db, now, log }: Pick<LookUpDeps, 'db' | 'now' | 'log'>): Chains {
  return {
    lookUp: createLookUp({ db, chains: [], recheck: async () => {}, now, log }),
    all: [],
    isContract: async () => null,
    signedByContract: async () => null,
    probes: [],
    loops: [],
    async disconnect() {},
    async release() {},
  };
}
