import type { WalletMessages } from './en.ts';

export const walletFr: WalletMessages = {
  walletTitle: 'Payez avec votre portefeuille {wallet}',
  walletLead: 'Connectez-vous pour payer {amount} avec votre solde.',
  walletOpen: 'Payer dans mon portefeuille',
  walletWaitingTitle: 'Approuvez ce paiement dans votre portefeuille {wallet}',
  walletWaitingLead:
    'Approuvez-y {amount}. Cette page continue d’elle-même. Entre-temps, ne payez pas d’une autre façon.',
  walletCheckingTitle: 'Votre portefeuille {wallet} est en train de payer',
  walletLostTitle: 'Votre portefeuille {wallet} n’a pas payé',
  methodWallet: 'Portefeuille {wallet}',
  methodWalletHint: 'Avec votre solde',
  noticePayInWallet:
    'Payez ceci depuis votre portefeuille : connectez-vous d’abord à celui-ci. Rien n’a été débité.',
  noticeWalletRefused:
    'Votre portefeuille a refusé ce paiement. Rien n’a été débité. Votre portefeuille peut vous dire pourquoi ; vous pouvez aussi payer autrement.',
  noticeWalletUnanswered:
    'Votre portefeuille n’a pas répondu. Rien n’a été débité, et ce qu’il a pu réserver est libéré. Vous pouvez réessayer.',
  noticeWalletAsked:
    'Votre portefeuille est déjà interrogé pour ce paiement. Attendez un instant, puis vérifiez à nouveau.',
};
