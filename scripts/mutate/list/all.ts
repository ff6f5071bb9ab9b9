import type { Mutation } from '../mutation.ts';
import { evmSends } from './evm-sends.ts';
import { finalBooking } from './final-booking.ts';
import { ledger } from './ledger.ts';
import { payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { piSends } from './pi-sends.ts';
import { refunds } from './refunds.ts';
import { testnets } from './testnets.ts';
import { treasury } from './treasury.ts';
import { vault } from './vault.ts';
import { wallets } from './wallets.ts';
import { webhooks } from './webhooks.ts';

/** All changes that the tests must notice. */
export const mutations: readonly Mutation[] = [
  ...ledger,
  ...payments,
  ...refunds,
  ...payouts,
  ...evmSends,
  ...piSends,
  ...finalBooking,
  ...vault,
  ...treasury,
  ...testnets,
  ...wallets,
  ...webhooks,
];
