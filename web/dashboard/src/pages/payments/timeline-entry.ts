import type { TimelineEntry } from '../../../../../gateway/src/payments/api/console-answers/payments.ts';

export type { TimelineEntry };

/** Money that a transaction moved; `transaction_url` shows it on a block explorer, where there is one. */
export type Moved = Pick<
  Extract<TimelineEntry, { kind: 'sweep' }>,
  'transaction' | 'transaction_url' | 'asset' | 'amount'
>;
