import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';

/** Slugs that a form's answer may put into the query, each with its message. */
const NOTICES = {
  wrong_password: 'noticeWrongPassword',
  insufficient_funds: 'noticeInsufficientFunds',
  not_possible: 'noticeNotPossible',
  not_playable: 'noticeNotPlayable',
  claim_received: 'noticeClaimReceived',
  not_claimable: 'noticeNotClaimable',
  claim_found: 'noticeClaimFound',
  claim_waiting: 'noticeClaimWaiting',
  claim_proved: 'noticeClaimProved',
  claim_stray: 'noticeClaimStray',
  claim_failed: 'noticeClaimFailed',
  claim_elsewhere: 'noticeClaimElsewhere',
  claim_elsewhere_memo: 'noticeClaimElsewhereMemo',
  claim_unknown: 'noticeClaimUnknown',
  too_many_requests: 'noticeTooManyRequests',
  dispute_opened: 'noticeDisputeOpened',
  message_sent: 'noticeMessageSent',
  test_coins_sent: 'noticeTestCoinsSent',
  test_coins_failed: 'noticeTestCoinsFailed',
  not_an_address: 'noticeNotAnAddress',
} as const;

export type NoticeSlug = keyof typeof NOTICES;

const GOOD_NEWS: readonly NoticeSlug[] = [
  'claim_received',
  'claim_found',
  'claim_waiting',
  'claim_proved',
  'dispute_opened',
  'message_sent',
  'test_coins_sent',
];

/** What became of the form that was just sent. An unknown slug says nothing. */
export function noticePart({ t, notice, why }: PageContext): Html | null {
  if (!isNotice(notice)) return null;
  const tone = GOOD_NEWS.includes(notice) ? 'good' : 'bad';
  return html`<p class="notice ${tone}" role="status">${t(NOTICES[notice])}${why && html` <bdi lang="en" dir="ltr">${why}</bdi>`}</p>`;
}

function isNotice(slug: string | undefined): slug is NoticeSlug {
  return slug !== undefined && Object.hasOwn(NOTICES, slug);
}
