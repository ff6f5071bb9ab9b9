import type { Derivation } from './direct.ts';
import type { LookUpTransaction } from './look-up.ts';
import type { Destination, Offer, Rail } from './rail.ts';

/** Several rails as one. */
export function joinRails(rails: readonly Rail[]): Rail {
  return {
    open: async (tx, payments) => {
      for (const rail of rails) await rail.open(tx, payments);
    },
    destinations: async (reader, paymentId) => {
      const found: Destination[] = [];
      for (const rail of rails) found.push(...(await rail.destinations(reader, paymentId)));
      return found;
    },
    openFor: async (tx, owner, asset) => {
      for (const rail of rails) if (await rail.openFor(tx, owner, asset)) return true;
      return false;
    },
    offers: async (reader, payment) => {
      const found: Offer[] = [];
      for (const rail of rails) found.push(...(await rail.offers(reader, payment)));
      return found;
    },
    reusable: async (reader, owner) => {
      const found: Destination[] = [];
      for (const rail of rails) found.push(...(await rail.reusable(reader, owner)));
      return found;
    },
    readThrough: async (reader, paymentId, names) => {
      const found = new Map<string, Date>();
      for (const rail of rails) {
        const read = await rail.readThrough(reader, paymentId, names);
        for (const [name, through] of read) found.set(name, through);
      }
      return found;
    },
    readTransaction: (text) => {
      for (const rail of rails) {
        const read = rail.readTransaction(text);
        if (read !== null) return read;
      }
      return null;
    },
    derivations: async (reader, payment) => {
      const found: Derivation[] = [];
      for (const rail of rails) found.push(...((await rail.derivations?.(reader, payment)) ?? []));
      return found;
    },
    tokenPlace: async (reader, asset) => {
      for (const rail of rails) {
        const found = await rail.tokenPlace?.(reader, asset);
        if (found) return found;
      }
      return null;
    },
    paymentOfAddress: async (reader, address) => {
      for (const rail of rails) {
        const found = await rail.paymentOfAddress(reader, address);
        if (found) return found;
      }
      return null;
    },
  };
}

/** Asks one rail after the other until one knows the transaction. */
export function joinLookUps(lookUps: readonly LookUpTransaction[]): LookUpTransaction {
  return async (paymentId, transaction) => {
    for (const lookUp of lookUps) {
      const found = await lookUp(paymentId, transaction);
      if (found) return found;
    }
    return null;
  };
}
