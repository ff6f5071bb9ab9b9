import type { ReactNode } from 'react';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { isPi, piWords, type Words } from './pi-fault-words.ts';
import type { RailFault } from './queries.ts';

/** What is wrong with a chain, what it means for payments, and what to do. docs/operations.md has the same rows. */
export function ChainFaults({ rail, faults }: { rail: string; faults: readonly RailFault[] }): ReactNode {
  return faults.map((fault) => {
    const { title, advice, tone } = (isPi(rail) && piWords[fault.code]) || words[fault.code] || unknown;
    return (
      <Banner key={`${fault.code} ${fault.message}`} tone={tone} title={title}>
        <p className="wrap-anywhere">{fault.message}</p>
        <p className="text-quiet">{advice}</p>
      </Banner>
    );
  });
}

const unknown: Words = { title: 'Something is wrong', advice: '', tone: 'lost' };

const words: Record<string, Words> = {
  not_scanned: {
    title: 'Not read yet',
    advice:
      'No address is shown to customers until it is. A gateway that has this chain in its configuration reads it a moment after it starts.',
    tone: 'waiting',
  },
  no_endpoint: {
    title: 'No endpoint answers',
    advice:
      'Payments wait; none is lost, and the scan goes on where it was. Look at the endpoints below, and add another one.',
    tone: 'lost',
  },
  wrong_chain: {
    title: 'An endpoint serves another chain',
    advice: 'It is not asked. Correct its address in the configuration file.',
    tone: 'lost',
  },
  not_verified: {
    title: 'The contracts are not checked yet',
    advice: 'No address is shown to customers until they are. It needs an endpoint that answers.',
    tone: 'waiting',
  },
  no_factory: {
    title: 'The factory is not deployed',
    advice: (
      <>
        No address is shown to customers on this chain. Deploy it with <code>florin contracts deploy</code>.
      </>
    ),
    tone: 'lost',
  },
  wrong_factory: {
    title: 'The factory is another contract',
    advice:
      'No address is shown to customers on this chain. Compare with a block explorer: an endpoint may be lying.',
    tone: 'lost',
  },
  wrong_token: {
    title: 'A token is not as configured',
    advice:
      'It is not offered on this chain. Correct its address, decimals or symbol in the configuration file.',
    tone: 'lost',
  },
  stalled: {
    title: 'Blocks are not booked',
    advice:
      'Payments stay pending until this is over; it is tried again all the time. If endpoints disagree, find out which one is wrong and take it out of the configuration.',
    tone: 'lost',
  },
  payments_wait: {
    title: 'Payments wait for it',
    advice:
      'Their time is over, and what was sent before may not be read yet. They are judged as soon as it was read past that: see what keeps it from being read. A payment that nothing came for can be cancelled.',
    tone: 'waiting',
  },
  not_credited: {
    title: 'Transfers are not credited, or not whole',
    advice:
      'Their addresses do not hold what the logs say, or endpoints do not agree on it: the token keeps a part for itself, it lies, or an endpoint does. What is pending is looked at again every minute, what is left out every hour. The log names each.',
    tone: 'lost',
  },
  second_reading: {
    title: 'The second reading needs attention',
    advice:
      'Everything is read again some minutes and about an hour later. Where endpoints left transfers out, these are credited then, and shown here for a day: the log names each; if it happens again, take another provider. Where the second reading stands still, no endpoint answers for all transfers of the listed tokens: look at what each of them says in the log.',
    tone: 'waiting',
  },
  doubtful_head: {
    title: 'The endpoint tells of too many blocks',
    advice:
      'It is followed all the same, because there is no other one. If the blocks are made up, the scan goes back by itself when that is over. Compare with a block explorer, and add another endpoint.',
    tone: 'lost',
  },
  unconfirmed: {
    title: 'Booked on the word of one endpoint',
    advice:
      'The others were silent for two minutes. The blocks are read again from another one, and what it denies is taken back. If the two go on to differ, find out which one is wrong and take it out of the configuration.',
    tone: 'waiting',
  },
  sweeping: {
    title: 'Sweeping needs attention',
    advice:
      'Payments are taken all the same: their money waits at its addresses. What was swept, and with which gas, stands under Sweeps.',
    tone: 'waiting',
  },
  not_sending: {
    title: 'Nothing is sent, or not all of it',
    advice:
      'Refunds that were ordered wait, and none is lost: each is tried again until it is sent, or owed as before. Look at the balance of the account, at its key, and at what the network asks for as its fee.',
    tone: 'waiting',
  },
};
