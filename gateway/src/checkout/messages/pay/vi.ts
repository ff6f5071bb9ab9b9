import type { PayMessages } from './en.ts';

export const payVi: PayMessages = {
  otherWays: 'Cách khác và trợ giúp',
  openWallet: 'Mở trong ví của bạn',
  openWalletNamed: 'Mở trong {wallet}',
  anotherWallet: 'Ví khác',
  openPiBrowser: 'Mở trong Pi Browser',
  orOnNetwork: 'Hoặc gửi qua {network}',
  sentTitle: 'Đã gửi, đang chờ mạng',
  sentLead: 'Đừng thanh toán lần nữa. Bạn không cần làm gì và có thể đóng trang này.',
  sentSince: 'Đã gửi {time} trước.',
  sentUsual: '{network} thường cần khoảng {time}.',
  notThrough: 'Giao dịch không thành công?',
  notThroughLead:
    'Trước hết hãy xem giao dịch trong ví của bạn. Khi nó còn chờ ở đó, tiền vẫn có thể đến: hãy chờ, hoặc tăng tốc trong ví. Chỉ thanh toán lại nếu ví báo giao dịch thất bại hoặc đã bị loại. Nếu không, bạn sẽ trả {amount} lần thứ hai.',
  notThroughSeen:
    'Mạng đã thấy khoản chuyển của bạn. Khi mạng bận, việc này lâu hơn. Đừng thanh toán lần nữa: nếu mạng loại khoản chuyển, trang này sẽ báo.',
  payWithin: 'Thanh toán trong {left} (đến {time} giờ của bạn)',
  disputeYours: 'Điều bạn đã báo',
  writeToShop: 'Nếu liên hệ {merchant}, hãy nêu mã này:',
  transaction: 'Giao dịch',
  printReceipt: 'In hoặc lưu thành PDF',
  itemEach: '{price} mỗi món',
};
