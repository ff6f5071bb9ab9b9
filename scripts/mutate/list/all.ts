import type { Mutation } from '../mutation.ts';
import { books } from './books.ts';
import { evmSends } from './evm-sends.ts';
import { finalBooking } from './final-booking.ts';
import { ledger } from './ledger.ts';
import { notices } from './notices.ts';
import { payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { piSends } from './pi-sends.ts';
import { prices } from './prices.ts';
import { rates } from './rates.ts';
import { refunds } from './refunds.ts';
import { splitter } from './splitter.ts';
import { testnets } from './testnets.ts';
import { treasury } from './treasury.ts';
import { vault } from './vault.ts';
import { wallets } from './wallets.ts';
import { webhooks } from './webhooks.ts';

/** All changes that the tests must notice. */
export const mutations: readonly Mutation[] = [
  ...ledger,
  ...payments,
  ...prices,
  ...rates,
  ...refunds,
  ...payouts,
  ...evmSends,
  ...piSends,
  ...finalBooking,
  ...vault,
  ...splitter,
  ...treasury,
  ...testnets,
  ...wallets,
  ...books,
  ...webhooks,
  ...notices,
];
