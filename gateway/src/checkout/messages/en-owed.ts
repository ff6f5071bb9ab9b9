/** What the page says of money that is owed to its customer, or that the shop has too much of, in English. */
export const owedEn = {
  overpaymentDirect:
    'The extra {overpayment} went straight to {merchant}, and the shop returns it. Write to the shop.',
  overpaymentDirectFee: '{fee} of that went to the payment service as its fee.',
  wrongTokenDirect:
    '{received} has arrived, but this payment takes {currency}. It went straight to {merchant}, and the shop returns it. Write to the shop.',
  owedTitle: 'Owed to you',
  owedLead: 'Enter an address of yours on {network}. You see everything once more before anything is sent.',
  owedExchange: 'At an exchange, use your own deposit address for {currency} on {network}.',
  owedBelowMinimum: 'The smallest amount that can be sent is {minimum}. It stays owed to you.',
  owedNeedsConfirmation:
    'If it is not the address that the money came from, {merchant} has to confirm it first.',
  owedNeedsPayer:
    'Only the address that the money came from can be used, or one that the wallet it came from signs.',
  owedAddress: 'Your address on {network}',
  owedMemo: 'Memo, if your exchange requires one',
  owedButton: 'Continue',
  owedCheckTitle: 'Check it before it is sent',
  owedCheckLead: '{amount} goes to the address below, on {network}. What was sent cannot be taken back.',
  owedFaultTitle: 'It cannot be sent like this',
  owedFaultLead: '{amount} is owed to you on {network}. Nothing was sent.',
  owedCheckSender:
    'The money came from this address. If it belongs to an exchange, it is not yours, and the money may not reach you: use your own deposit address there.',
  owedCheckContract: 'There is a contract at this address. Go on only if it is a wallet of yours.',
  owedCheckConfirmation: '{merchant} has to confirm this address before anything is sent.',
  owedProofTitle: 'Or sign it yourself',
  owedProofLead:
    '{merchant} need not confirm it if the wallet that the money came from signs the text below. A signature costs nothing and moves no money. It has to be signed by:',
  owedProofSign: 'Sign with {wallet}',
  owedProofSignature: 'Signature (optional)',
  owedProofHint: 'You can also sign exactly this text in another program, and paste the signature here.',
  owedProofContract:
    'A contract wallet, such as a Safe, can sign it as well. Its network is then asked whether it accepts the signature.',
  owedProofOther: 'Your wallet uses {account}. Choose the address that the money came from.',
  owedProofDeclined: 'You declined it in your wallet. Nothing was signed.',
  owedProofTrouble: 'Your wallet reports: {problem}',
  owedProofSigned: 'Signed. Confirm it with the button below.',
  owedConfirm: 'Yes, send it there',
  owedBack: 'Go back',
  refundsTitle: 'Refunds',
  refundAwaitingDestination: 'Waits for your address',
  refundAwaitingApproval: 'Waits until it is approved',
  refundAwaitingTransfer: 'Waits for the shop to send it',
  refundQueued: 'Waits to be sent',
  refundSending: 'Being sent',
  refundCompleted: 'Sent',
  refundCancelled: 'Cancelled',
  refundRejected: 'Rejected',
  refundFailed: 'Failed. Nothing was sent.',
  noticeOwedAddressMissing: 'Enter an address.',
  noticeOwedAddressInvalid: 'This is not an address of that network. Look for a typing error.',
  noticeOwedAddressOurs: 'Nothing can be sent to this address: it belongs to this service or to a token.',
  noticeOwedMemoInvalid: 'This memo cannot be used.',
  noticeOwedSignature:
    'This signature does not fit. Sign exactly the text below with the address that the money came from, or leave the field empty.',
  noticeOwedSignatureUnread:
    'The network could not be asked whether your wallet accepts this signature. Try again later, or leave the field empty.',
  noticeOwedGone: 'This was claimed already, or is no longer owed. See below.',
  noticeOwedUnavailable: 'It cannot be sent right now. It stays owed to you: try again later.',
  noticeOwedOrdered: 'Thank you. Below you see how far it is.',
  noticeOwedAwaits: 'Thank you. The shop has to confirm the address first.',
} as const;
