import type { ReactNode } from 'react';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { isPi, piWords, type Words } from './pi-fault-words.ts';
import type { RailFault } from './queries.ts';

/** The faults of a chain, their effect on payments, and what to do. docs/operations.md has the same rows. */
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
      'New payments wait and none is lost: the scan continues where it stopped. Look at the endpoints below, and add another one.',
    tone: 'lost',
  },
  wrong_chain: {
    title: 'An endpoint serves another chain',
    advice: 'It is not used. Correct its address in the configuration file.',
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
      'No address is shown to customers on this chain. Compare with a block explorer: an endpoint may give wrong answers.',
    tone: 'lost',
  },
  no_vault: {
    title: 'The vault is not deployed',
    advice: (
      <>
        Nothing is paid out on this chain. Deploy it with <code>florin contracts deploy</code>.
      </>
    ),
    tone: 'lost',
  },
  wrong_vault: {
    title: 'The vault is another contract',
    advice:
      'Nothing is paid out on this chain. Compare with a block explorer: an endpoint may give wrong answers.',
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
      'Payments stay pending meanwhile, and the gateway keeps trying. If endpoints disagree, find out which one is wrong and remove it from the configuration.',
    tone: 'lost',
  },
  payments_wait: {
    title: 'Payments wait for the scan',
    advice:
      'Their deadline has passed, but transfers from before it may not be read yet. They end once the scan has passed the deadline: see what delays it. A payment that received nothing can be cancelled.',
    tone: 'waiting',
  },
  not_credited: {
    title: 'Transfers are not credited in full',
    advice:
      'Their addresses hold less than the chain’s logs say, or endpoints disagree: the token takes a fee of each transfer, or the token or an endpoint gives wrong answers. Pending transfers are checked again every minute, those left out every hour. The gateway’s log names each.',
    tone: 'lost',
  },
  second_reading: {
    title: 'The second reading needs attention',
    advice:
      'Every block is read again after some minutes and after about an hour. Transfers that endpoints had left out are credited then and shown here for a day. The log names each; if it happens again, change the provider. If the second reading does not advance, no endpoint answers for all transfers of the listed tokens: the log has their answers.',
    tone: 'waiting',
  },
  doubtful_head: {
    title: 'The endpoint reports too many blocks',
    advice:
      'It is used anyway, because there is no other one. If the blocks do not exist, the scan goes back by itself once the endpoint reports the right ones. Compare with a block explorer, and add another endpoint.',
    tone: 'lost',
  },
  unconfirmed: {
    title: 'Booked from one endpoint alone',
    advice:
      'The others did not answer for two minutes. The blocks are read again from another one, and transfers that it does not have are reversed. If the two keep differing, find out which one is wrong and remove it from the configuration.',
    tone: 'waiting',
  },
  sweeping: {
    title: 'Sweeping needs attention',
    advice:
      'Payments are still accepted: their money waits at its addresses. The tab Sweeps shows each sweep and its gas.',
    tone: 'waiting',
  },
  not_sending: {
    title: 'Sending is interrupted',
    advice:
      'Ordered refunds wait and none is lost: each is tried again until it is sent, or owed as before. Check the balance of the account, its key, and the network’s fee.',
    tone: 'waiting',
  },
};
