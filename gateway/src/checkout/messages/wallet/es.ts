import type { WalletMessages } from './en.ts';

export const walletEs: WalletMessages = {
  walletTitle: 'Pague con su monedero {wallet}',
  walletLead: 'Inicie sesión para pagar {amount} con su saldo.',
  walletOpen: 'Pagar en mi monedero',
  walletWaitingTitle: 'Apruebe este pago en su monedero {wallet}',
  walletWaitingLead:
    'Apruebe allí {amount}. Esta página continúa sola. Mientras tanto, no pague de otra forma.',
  walletCheckingTitle: 'Su monedero {wallet} está pagando',
  walletLostTitle: 'Su monedero {wallet} no ha pagado',
  methodWallet: 'Monedero {wallet}',
  methodWalletHint: 'Con su saldo',
  noticePayInWallet: 'Pague esto desde su monedero: primero inicie sesión allí. No se ha cobrado nada.',
  noticeWalletRefused:
    'Su monedero ha rechazado este pago. No se ha cobrado nada. Su monedero puede decirle por qué; también puede pagar de otra forma.',
  noticeWalletUnanswered:
    'Su monedero no ha respondido. No se ha cobrado nada, y lo que pueda haber reservado se libera. Puede intentarlo de nuevo.',
  noticeWalletAsked:
    'Ya se está consultando a su monedero sobre este pago. Espere un momento y vuelva a comprobarlo.',
};
