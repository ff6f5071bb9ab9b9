import type { WalletMessages } from './en.ts';

export const walletDe: WalletMessages = {
  walletTitle: 'Mit Ihrer {wallet}-Wallet zahlen',
  walletLead: 'Melden Sie sich an, um {amount} aus Ihrem Guthaben zu zahlen.',
  walletOpen: 'In meiner Wallet zahlen',
  walletWaitingTitle: 'Bestätigen Sie diese Zahlung in Ihrer {wallet}-Wallet',
  walletWaitingLead:
    'Bestätigen Sie dort {amount}. Diese Seite geht von selbst weiter. Zahlen Sie inzwischen nicht auf anderem Weg.',
  walletCheckingTitle: 'Ihre {wallet}-Wallet zahlt gerade',
  walletLostTitle: 'Ihre {wallet}-Wallet hat nicht gezahlt',
  methodWallet: '{wallet}-Wallet',
  methodWalletHint: 'Aus Ihrem Guthaben',
  noticePayInWallet: 'Bitte in Ihrer Wallet bezahlen: Melden Sie sich dort an. Nichts wurde abgebucht.',
  noticeWalletRefused:
    'Ihre Wallet hat diese Zahlung abgelehnt. Es wurde nichts abgebucht. Den Grund erfahren Sie in Ihrer Wallet; Sie können auch anders zahlen.',
  noticeWalletUnanswered:
    'Ihre Wallet hat nicht geantwortet. Es wurde nichts abgebucht, und was sie vielleicht zurückgelegt hat, wird freigegeben. Sie können es noch einmal versuchen.',
  noticeWalletAsked:
    'Ihre Wallet wird schon wegen dieser Zahlung gefragt. Warten Sie einen Moment und sehen Sie dann noch einmal nach.',
};
