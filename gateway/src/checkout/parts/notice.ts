import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';

/** The values of the `notice` query parameter, each with its message. */
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
  claim_unmatched: 'noticeClaimUnmatched',
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

/** Notices that nothing went wrong. */
const GOOD_NOTICES: readonly NoticeSlug[] = [
  'claim_received',
  'claim_found',
  'claim_waiting',
  'claim_proved',
  'dispute_opened',
  'message_sent',
  'test_coins_sent',
];

/** The result of the form that was just sent; null for an unknown slug. */
export function noticePart({ t, notice, mixRefusal }: PageContext): Html | null {
  if (!isNotice(notice)) return null;
  const tone = GOOD_NOTICES.includes(notice) ? 'good' : 'bad';
  return html`<p class="notice ${tone}" role="status">${t(NOTICES[notice])}${mixRefusal && html` <bdi lang="en" dir="ltr">${mixRefusal}</bdi>`}</p>`;
}

function isNotice(slug: string | undefined): slug is NoticeSlug {
  return slug !== undefined && Object.hasOwn(NOTICES, slug);
}
