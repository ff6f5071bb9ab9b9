import type { ReactNode } from 'react';

/** The Pi network has an account and ledgers where the chains have addresses and blocks. */
export const isPi = (rail: string): boolean => rail === 'pi';

/** A fault in words for operators. */
export type Words = { title: string; advice: ReactNode; tone: 'waiting' | 'lost' };

/** What is wrong with the Pi network, where the words for chains would not fit. docs/operations.md has the same rows. */
export const piWords: Record<string, Words> = {
  not_scanned: {
    title: 'Not read yet',
    advice:
      'The account is not shown to customers until it is. A gateway that has Pi in its configuration reads it a moment after it starts.',
    tone: 'waiting',
  },
  no_endpoint: {
    title: 'No Horizon answers',
    advice:
      'Payments wait; none is lost, and reading goes on where it was. Look at what each one answers below, and add another one.',
    tone: 'lost',
  },
  wrong_chain: {
    title: 'A Horizon serves another network',
    advice: 'It is never read. Correct its address, or the network, in the configuration file.',
    tone: 'lost',
  },
  no_account: {
    title: 'The account does not exist',
    advice:
      'Customers are shown no address. Somebody has to send PI to it once, so that the network creates it; or correct it in the configuration file.',
    tone: 'lost',
  },
  stalled: {
    title: 'The account is not read',
    advice:
      'A Horizon answers what cannot be right, and nothing is taken from such an answer. It is tried again all the time; add another Horizon, or take this one out.',
    tone: 'lost',
  },
  payments_wait: {
    title: 'Payments wait for it',
    advice:
      'Their time is over, and what was sent before may not be read yet. They are judged as soon as it was read past that: see what keeps it from being read. A payment that nothing came for can be cancelled.',
    tone: 'waiting',
  },
  not_credited: {
    title: 'Transfers are not booked',
    advice: 'They are kept and tried again, the longer the less often. The log says why for each of them.',
    tone: 'lost',
  },
  not_sending: {
    title: 'Sending needs attention',
    advice: 'What was ordered to be sent waits. Payments are taken all the same.',
    tone: 'waiting',
  },
  out_of_balance: {
    title: 'The balance is not what was read',
    advice:
      'A Horizon has left something out, or tells a wrong balance. The ledgers since both agreed are read again, and what is found is booked. New payments are taken all the same.',
    tone: 'lost',
  },
  not_completed: {
    title: 'The Pi platform does not confirm payments',
    advice:
      'Their money is in the account, and they stay pending: nothing is to be delivered before the platform has confirmed them. It is asked again all the time.',
    tone: 'waiting',
  },
};
