import { byFreshPerson, byPerson, mode, type Road } from './road.ts';

/** Payments that never come to the gateway: who may turn them to an address. */
export const ownAddress: Road = {
  name: 'own address of a business',
  asks: 'an owner, for each asset: new payments settle there',
  approves: {
    says: 'nobody, and a day passes with mails to all who may stop it',
    test: 'gateway/test/own-addresses.test.ts › rests for a day in live mode, and whoever may stop it is told by mail',
  },
  limit: { says: 'none: it is what customers pay, less the host’s part', test: null },
  factor: {
    says: 'a sign-in of the last ten minutes with its second factor, and a signature of the address',
    test: 'gateway/test/own-addresses.test.ts › is proved by its signature of a text that names installation, integration, asset and address',
  },
  calls: [
    ...byFreshPerson('manage payouts', `PUT ${mode}/own-addresses`),
    ...byPerson('manage payouts', `DELETE ${mode}/own-addresses/:asset`),
  ],
};
