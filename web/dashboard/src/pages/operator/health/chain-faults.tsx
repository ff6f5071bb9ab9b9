import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
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

const unknown: Words = { title: t('Something is wrong'), advice: '', tone: 'lost' };

const words: Record<string, Words> = {
  not_scanned: {
    title: t('Not read yet'),
    advice: t(
      'No address is shown to customers until it is. A gateway that has this chain in its configuration reads it a moment after it starts.',
    ),
    tone: 'waiting',
  },
  no_endpoint: {
    title: t('No endpoint answers'),
    advice: t(
      'New payments wait and none is lost: the scan continues where it stopped. Look at the endpoints below, and add another one.',
    ),
    tone: 'lost',
  },
  wrong_chain: {
    title: t('An endpoint serves another chain'),
    advice: t('It is not used. Correct its address in the configuration file.'),
    tone: 'lost',
  },
  not_verified: {
    title: t('The contracts are not checked yet'),
    advice: t('No address is shown to customers until they are. It needs an endpoint that answers.'),
    tone: 'waiting',
  },
  no_factory: {
    title: t('The factory is not deployed'),
    advice: (
      <>
        {rich('No address is shown to customers on this chain. Deploy it with {code}.', {
          code: <code>florin contracts deploy</code>,
        })}
      </>
    ),
    tone: 'lost',
  },
  wrong_factory: {
    title: t('The factory is another contract'),
    advice: t(
      'No address is shown to customers on this chain. Compare with a block explorer: an endpoint may give wrong answers.',
    ),
    tone: 'lost',
  },
  no_vault: {
    title: t('The vault is not deployed'),
    advice: (
      <>
        {rich('Nothing is paid out on this chain. Deploy it with {code}.', {
          code: <code>florin contracts deploy</code>,
        })}
      </>
    ),
    tone: 'lost',
  },
  wrong_vault: {
    title: t('The vault is another contract'),
    advice: t(
      'Nothing is paid out on this chain. Compare with a block explorer: an endpoint may give wrong answers.',
    ),
    tone: 'lost',
  },
  wrong_token: {
    title: t('A token is not as configured'),
    advice: t(
      'It is not offered on this chain. Correct its address, decimals or symbol in the configuration file.',
    ),
    tone: 'lost',
  },
  stalled: {
    title: t('Blocks are not booked'),
    advice: t(
      'Payments stay pending meanwhile, and the gateway keeps trying. If endpoints disagree, find out which one is wrong and remove it from the configuration.',
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
    title: t('Transfers are not credited in full'),
    advice: t(
      'Their addresses hold less than the chain’s logs say, or endpoints disagree: the token takes a fee of each transfer, or the token or an endpoint gives wrong answers. Pending transfers are checked again every minute, those left out every hour. The gateway’s log names each.',
    ),
    tone: 'lost',
  },
  second_reading: {
    title: t('The second reading needs attention'),
    advice: t(
      'Every block is read again after some minutes and after about an hour. Transfers that endpoints had left out are credited then and shown here for a day. The log names each; if it happens again, change the provider. If the second reading does not advance, no endpoint answers for all transfers of the listed tokens: the log has their answers.',
    ),
    tone: 'waiting',
  },
  doubtful_head: {
    title: t('The endpoint reports too many blocks'),
    advice: t(
      'It is used anyway, because there is no other one. If the blocks do not exist, the scan goes back by itself once the endpoint reports the right ones. Compare with a block explorer, and add another endpoint.',
    ),
    tone: 'lost',
  },
  unconfirmed: {
    title: t('Booked from one endpoint alone'),
    advice: t(
      'The others did not answer for two minutes. The blocks are read again from another one, and transfers that it does not have are reversed. If the two keep differing, find out which one is wrong and remove it from the configuration.',
    ),
    tone: 'waiting',
  },
  sweeping: {
    title: t('Sweeping needs attention'),
    advice: t(
      'Payments are still accepted: their money waits at its addresses. The tab Sweeps shows each sweep and its gas.',
    ),
    tone: 'waiting',
  },
  not_sending: {
    title: t('Sending is interrupted'),
    advice: t(
      'Ordered refunds wait and none is lost: each is tried again until it is sent, or owed as before. Check the balance of the account, its key, and the network’s fee.',
    ),
    tone: 'waiting',
  },
};
