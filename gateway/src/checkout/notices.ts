/** The values of the `notice` query parameter, each with its message. */
export const NOTICES = {
  wrong_password: 'noticeWrongPassword',
  insufficient_funds: 'noticeInsufficientFunds',
  pay_in_wallet: 'noticePayInWallet',
  wallet_refused: 'noticeWalletRefused',
  wallet_unanswered: 'noticeWalletUnanswered',
  wallet_asked: 'noticeWalletAsked',
  not_possible: 'noticeNotPossible',
  network_unreadable: 'noticeNetworkUnreadable',
  no_rate: 'noticeNoRate',
  not_playable: 'noticeNotPlayable',
  claim_received: 'noticeClaimReceived',
  hash_missing: 'noticeHashMissing',
  not_claimable: 'noticeNotClaimable',
  claim_found: 'noticeClaimFound',
  claim_waiting: 'noticeClaimWaiting',
  claim_proved: 'noticeClaimProved',
  claim_unmatched: 'noticeClaimUnmatched',
  claim_failed: 'noticeClaimFailed',
  claim_other_coin: 'noticeClaimOtherCoin',
  claim_elsewhere: 'noticeClaimElsewhere',
  claim_elsewhere_memo: 'noticeClaimElsewhereMemo',
  claim_unasked: 'noticeClaimUnasked',
  claim_unknown: 'noticeClaimUnknown',
  not_an_email: 'noticeNotAnEmail',
  too_many_requests: 'noticeTooManyRequests',
  claim_address_missing: 'noticeOwedAddressMissing',
  claim_address_invalid: 'noticeOwedAddressInvalid',
  claim_address_ours: 'noticeOwedAddressOurs',
  claim_needs_payer: 'owedNeedsPayer',
  claim_memo_invalid: 'noticeOwedMemoInvalid',
  claim_signature_wrong: 'noticeOwedSignature',
  claim_signature_unread: 'noticeOwedSignatureUnread',
  claim_not_owed: 'noticeOwedGone',
  claim_unavailable: 'noticeOwedUnavailable',
  claim_ordered: 'noticeOwedOrdered',
  claim_awaits: 'noticeOwedAwaits',
  dispute_opened: 'noticeDisputeOpened',
  message_sent: 'noticeMessageSent',
  test_coins_sent: 'noticeTestCoinsSent',
  test_coins_failed: 'noticeTestCoinsFailed',
  not_an_address: 'noticeNotAnAddress',
} as const;

/** A notice whose message is that of {@link NOTICES}. */
export type PlainNotice = keyof typeof NOTICES;
/** `receipt_sent` says where to. */
export type NoticeSlug = PlainNotice | 'receipt_sent';

/** What is wrong with a claimed transaction: it stands beside the field that named it. */
export const CLAIM_FAULTS = [
  'hash_missing',
  'not_claimable',
  'claim_failed',
  'claim_other_coin',
  'claim_elsewhere',
  'claim_elsewhere_memo',
  'claim_unasked',
  'claim_unknown',
] as const satisfies readonly PlainNotice[];
/** The longest transaction that its field takes. */
export const maxTransaction = 200;

export type ClaimFault = (typeof CLAIM_FAULTS)[number];

/** Whether a notice, as it was received, is such a fault. */
export function isClaimFault(notice: string | undefined): notice is ClaimFault {
  return CLAIM_FAULTS.some((fault) => fault === notice);
}

/** Notices that nothing went wrong. */
export const GOOD_NOTICES: readonly PlainNotice[] = [
  'claim_received',
  'claim_found',
  'claim_waiting',
  'claim_proved',
  'claim_ordered',
  'claim_awaits',
  'dispute_opened',
  'message_sent',
  'test_coins_sent',
];
