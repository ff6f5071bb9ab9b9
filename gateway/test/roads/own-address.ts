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

/** A refund that leaves no account of the gateway: the merchant signs it with their own wallet. */
export const ownRefund: Road = {
  name: 'refund from the own address of a business',
  asks: 'as a refund to an address, or one that its customer claims',
  approves: {
    says: 'who signs the transfer with the wallet of the own address; a known address, where those alone are allowed',
    test: 'gateway/src/payments/refunds/direct.test.ts › goes to a known address alone where the business wants that',
  },
  limit: {
    says: "what the business got for the payment; the key's, by the business's share",
    test: 'gateway/src/payments/refunds/direct.test.ts › never sums up to more than the merchant got',
  },
  factor: {
    says: 'as a refund to an address, then what the wallet asks',
    test: 'gateway/test/direct-refunds.test.ts › is answered by exactly its amount, from the own address to where it goes',
  },
  calls: [],
};
