import { formatOf } from '../checkout/format.ts';
import { type Locale, messagesOf } from '../checkout/locale.ts';
import { type Sentence, translator } from '../checkout/messages/translate.ts';
import { letter } from '../identity/mail/letter.ts';
import { type Letter, queueMail } from '../identity/mail/mail.ts';
import type { Database } from '../kit/db/db.ts';
import { transaction } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { type NoticeMail, takeNoticeMails } from '../wallets/notices.ts';
import { localeOf } from './letters.ts';
import { sayIn } from './locale.ts';
import type { Say } from './messages/words.ts';

export type NoticeLetterDeps = { assets: Assets; url: string };

/** Queues the mails of notices, each once, in their users' languages. `url` is the public address of the wallet. */
export async function mailNotices(db: Database, deps: NoticeLetterDeps, now: Date): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await transaction(db, async (tx) => {
      const { mails, isLast } = await takeNoticeMails(tx, now);
      for (const notice of mails) await queueMail(tx, { to: notice.email, ...noticeLetter(deps, notice) });
      return isLast;
    });
  }
}

/** A notice as a mail: its subject says what happened, its text with whom, and it links to the wallet. */
export function noticeLetter({ assets, url }: NoticeLetterDeps, notice: NoticeMail): Letter {
  const locale = localeOf(notice);
  const say = sayIn(locale);
  const t = translator(locale, messagesOf(locale));
  const { subject, what, isAlarming = false } = wordsOf(say, locale, assets, notice);
  const why = say('mailWhy', { username: notice.username }).text;
  const query = new URLSearchParams({ lang: locale, ...(notice.mode === 'test' ? { mode: 'test' } : {}) });
  return letter({
    kind: 'wallet_notice',
    subject: notice.mode === 'test' ? `${t('testLabel').text}: ${subject.text}` : subject.text,
    paragraphs: [
      ...(what ? [what.text] : []),
      ...(notice.mode === 'test' ? [t('testBanner').text] : []),
      ...(isAlarming ? [why] : []),
    ],
    action: { label: say('mailOpen').text, url: `${url}/?${query}` },
    closing: isAlarming ? say('mailAlarm').text : why,
    locale,
  });
}

type Words = { subject: Sentence; what?: Sentence; isAlarming?: boolean };

function wordsOf(say: Say, locale: Locale, assets: Assets, notice: NoticeMail): Words {
  const { kind, units } = notice;
  const asset = notice.asset === null ? undefined : assets.find(notice.asset);
  const other = notice.other ?? '';
  const network = asset?.network ?? '';
  const amount =
    asset && units !== null ? formatOf(locale).amount(decimalOf(units, asset.scale), asset.currency) : '';
  const received = say('mailInSubject', { amount });
  const left = say('mailOutSubject', { amount });
  switch (kind) {
    case 'received':
      return { subject: received, what: say('lineReceived', { username: other }) };
    case 'funded':
      return { subject: received, what: say('lineFunded', { merchant: other }) };
    case 'deposit':
      return { subject: received, what: say('lineDeposit', { network }) };
    case 'sent':
      return { subject: left, what: say('lineSent', { username: other }), isAlarming: true };
    case 'paid':
      return { subject: left, what: say('linePaid', { merchant: other }), isAlarming: true };
    case 'deposit_gone':
      return { subject: left, what: say('lineDepositLost', { network }) };
    case 'withdrawal_ordered':
      return {
        subject: say('noticeOrderedSubject', { amount }),
        what: say('noticeOrdered', { address: other }),
        isAlarming: true,
      };
    case 'withdrawal_sent':
      return { subject: left, what: say('lineWithdrawn', { network }) };
    case 'withdrawal_cancelled':
    case 'withdrawal_failed':
      return { subject: say('noticeEndedSubject', { amount }), what: say('payoutEnded') };
    case 'address_added':
      return { subject: say('noticeAddress', { address: other }), isAlarming: true };
    case 'frozen':
      return { subject: say('faultFrozen') };
    case 'unfrozen':
      return { subject: say('noticeUnfrozen') };
    case 'level':
      return { subject: say('noticeLevel') };
  }
}
