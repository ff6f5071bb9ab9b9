import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';

/** A Pi network has an account and ledgers where the chains have addresses and blocks. */
export const isPi = (rail: string): boolean => rail === 'pi' || rail === 'pi-testnet';

/** A fault in words for operators. */
export type Words = { title: string; advice: ReactNode; tone: 'waiting' | 'lost' };

/** The faults of the Pi network, where the words for chains do not fit. docs/operations.md has the same rows. */
export const piWords: Record<string, Words> = {
  not_scanned: {
    title: t('Not read yet'),
    advice: t(
      'The account is not shown to customers until it is. A gateway that has Pi in its configuration reads it a moment after it starts.',
    ),
    tone: 'waiting',
  },
  no_endpoint: {
    title: t('No Horizon answers'),
    advice: t(
      'New payments wait and none is lost: reading continues where it stopped. Look at the answers of each one below, and add another one.',
    ),
    tone: 'lost',
  },
  wrong_chain: {
    title: t('A Horizon serves another network'),
    advice: t('It is not used. Correct its address, or the network, in the configuration file.'),
    tone: 'lost',
  },
  no_account: {
    title: t('The account does not exist'),
    advice: t(
      'No address is shown to customers. Send PI to the account once, so that the network creates it, or correct it in the configuration file.',
    ),
    tone: 'lost',
  },
  stalled: {
    title: t('The account is not read'),
    advice: t(
      'A Horizon gives an answer that cannot be right, and nothing is booked from it. The gateway keeps trying. Add another Horizon, or remove this one.',
    ),
    tone: 'lost',
  },
  payments_wait: {
    title: t('Payments wait for the scan'),
    advice: t(
      'Their deadline has passed, but transfers from before it may not be read yet. They end once the scan has passed the deadline: see what delays it. A payment that received nothing can be cancelled.',
    ),
    tone: 'waiting',
  },
  not_credited: {
    title: t('Transfers are not booked'),
    advice: t('They are kept and tried again at growing intervals. The log has the reason for each.'),
    tone: 'lost',
  },
  not_sending: {
    title: t('Sending needs attention'),
    advice: t('Ordered refunds wait. Payments are still accepted.'),
    tone: 'waiting',
  },
  out_of_balance: {
    title: t('The balance is not what was read'),
    advice: t(
      'A Horizon has left out a transfer, or reports a wrong balance. The ledgers since the last match are read again, and missing transfers are booked. New payments are still accepted.',
    ),
    tone: 'lost',
  },
  not_completed: {
    title: t('The Pi platform does not confirm payments'),
    advice: t(
      'Their money is in the account, and they stay pending: do not deliver goods before the platform has confirmed them. The gateway keeps asking.',
    ),
    tone: 'waiting',
  },
};
