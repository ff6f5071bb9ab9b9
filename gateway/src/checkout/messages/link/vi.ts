import type { LinkMessages } from './words.ts';

/** What the page of a payment link says, in Vietnamese. */
export const linkVi: LinkMessages = {
  linkLead: 'Tiếp theo bạn chọn cách thanh toán. Không có khoản nào bị trừ trước khi bạn xác nhận.',
  linkAmount: 'Số tiền bằng {currency}',
  linkBetween: 'Từ {min} đến {max}',
  linkAtLeast: 'Ít nhất {min}',
  linkAtMost: 'Nhiều nhất {max}',
  linkFeeAdded: 'Phí được cộng thêm. Bạn thấy tổng số trước khi thanh toán.',
  linkContinue: 'Tiếp tục',
  linkFaultAmount: 'Nhập số tiền bằng chữ số, ví dụ 12,50.',
  linkFaultDecimals: 'Số tiền có quá nhiều chữ số thập phân đối với {currency}.',
  linkFaultMinimum: 'Khoản thanh toán nhỏ nhất trị giá {min} USD.',
  linkOwnTitle: 'Bạn đã bắt đầu khoản thanh toán này',
  linkOwnLead: 'Bạn có thể tiếp tục từ chỗ đã dừng.',
  linkOwnButton: 'Tiếp tục thanh toán',
  linkOwnPaid: 'Xem khoản thanh toán của bạn',
  linkTakenTitle: 'Đã có người đang thanh toán',
  linkTakenLead:
    'Liên kết này chỉ dành cho một khoản thanh toán. Nếu khoản đó không hoàn tất, bạn có thể thanh toán tại đây sau {time}.',
  linkTakenOpenLead:
    'Liên kết này chỉ dành cho một khoản thanh toán, và một khoản đang được thực hiện. Nếu đó không phải của bạn, hãy hỏi {merchant}.',
  linkUsedTitle: 'Đã được thanh toán',
  linkUsedLead: 'Liên kết này chỉ dành cho một khoản thanh toán. Không còn gì phải trả.',
  linkExpiredTitle: 'Liên kết này đã hết hạn',
  linkExpiredLead: 'Liên kết dùng được đến {time}. Hãy xin {merchant} một liên kết mới.',
  linkStoppedTitle: 'Liên kết này không còn được dùng',
  linkStoppedLead: 'Không có khoản nào bị trừ. Hãy hỏi {merchant} nếu bạn muốn thanh toán.',
  linkClosedLead: 'Không có khoản nào bị trừ. Vui lòng thử lại sau.',
  linkTooMany: 'Quá nhiều khoản thanh toán cùng lúc. Chờ một phút rồi thử lại.',
};
