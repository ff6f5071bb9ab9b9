/** What the page says of paying out of a wallet, in English. */
export const walletEn = {
  walletTitle: 'Pay from your {wallet} wallet',
  walletLead: 'Sign in to pay {amount} from your balance.',
  walletOpen: 'Pay in my wallet',
  walletWaitingTitle: 'Approve this payment in your {wallet} wallet',
  walletWaitingLead:
    'Approve {amount} there. This page goes on by itself. Do not pay in another way meanwhile.',
  walletCheckingTitle: 'Your {wallet} wallet is paying',
  walletLostTitle: 'Your {wallet} wallet did not pay',
  methodWallet: '{wallet} wallet',
  methodWalletHint: 'From your balance',
  noticePayInWallet: 'Pay this one in your wallet: sign in there first. Nothing was charged.',
  noticeWalletRefused:
    'Your wallet refused this payment. Nothing was charged. Your wallet can tell you why; you can also pay another way.',
  noticeWalletUnanswered:
    'Your wallet did not answer. Nothing was charged, and what it may have set aside is released. You can try again.',
  noticeWalletAsked:
    'Your wallet is being asked about this payment already. Wait a moment, then check again.',
} as const;
