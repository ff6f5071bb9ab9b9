import type { WalletMessages } from './en.ts';

export const walletVi: WalletMessages = {
  walletTitle: 'Thanh toán từ ví {wallet} của bạn',
  walletLead: 'Đăng nhập để trả {amount} từ số dư của bạn.',
  walletOpen: 'Trả trong ví của tôi',
  walletWaitingTitle: 'Hãy duyệt khoản thanh toán này trong ví {wallet} của bạn',
  walletWaitingLead:
    'Duyệt {amount} ở đó. Trang này tự tiếp tục. Trong lúc chờ, đừng thanh toán bằng cách khác.',
  walletCheckingTitle: 'Ví {wallet} của bạn đang thanh toán',
  walletLostTitle: 'Ví {wallet} của bạn đã không thanh toán',
  methodWallet: 'Ví {wallet}',
  methodWalletHint: 'Từ số dư của bạn',
  noticePayInWallet:
    'Hãy thanh toán khoản này trong ví của bạn: đăng nhập vào ví trước. Bạn không bị trừ tiền.',
  noticeWalletRefused:
    'Ví của bạn đã từ chối khoản thanh toán này. Không có khoản nào bị trừ. Ví có thể cho bạn biết lý do; bạn cũng có thể trả bằng cách khác.',
  noticeWalletUnanswered:
    'Ví của bạn không trả lời. Không có khoản nào bị trừ, và số tiền có thể đã được giữ sẽ được giải phóng. Bạn có thể thử lại.',
  noticeWalletAsked: 'Ví của bạn đang được hỏi về khoản thanh toán này. Hãy đợi một lát rồi kiểm tra lại.',
};
