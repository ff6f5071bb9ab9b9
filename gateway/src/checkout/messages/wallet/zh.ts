import type { WalletMessages } from './en.ts';

export const walletZh: WalletMessages = {
  walletTitle: '使用 {wallet} 钱包付款',
  walletLead: '登录后用余额支付 {amount}。',
  walletOpen: '在我的钱包中支付',
  walletWaitingTitle: '请在您的 {wallet} 钱包中批准这笔付款',
  walletWaitingLead: '请在那里批准 {amount}。本页会自动继续。在此期间请不要用其他方式付款。',
  walletCheckingTitle: '您的 {wallet} 钱包正在付款',
  walletLostTitle: '您的 {wallet} 钱包没有付款',
  methodWallet: '{wallet} 钱包',
  methodWalletHint: '使用余额',
  noticePayInWallet: '请在您的钱包中支付这笔款项：请先登录钱包。没有扣款。',
  noticeWalletRefused: '您的钱包拒绝了这笔付款。没有扣款。您可以在钱包中查看原因，也可以用其他方式付款。',
  noticeWalletUnanswered: '您的钱包没有回应。没有扣款，可能已预留的金额会被释放。您可以再试一次。',
  noticeWalletAsked: '已在就这笔付款询问您的钱包。请稍等片刻，然后再查看。',
};
