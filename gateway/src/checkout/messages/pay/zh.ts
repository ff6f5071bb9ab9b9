import type { PayMessages } from './en.ts';

export const payZh: PayMessages = {
  otherWays: '其他方式与帮助',
  openWallet: '在您的钱包中打开',
  openWalletNamed: '在 {wallet} 中打开',
  anotherWallet: '其他钱包',
  openPiBrowser: '在 Pi Browser 中打开',
  orOnNetwork: '或通过 {network} 发送',
  sentTitle: '已发送，正在等待网络',
  sentLead: '请勿再次付款。您无需任何操作，可以关闭此页面。',
  sentSince: '{time}前已发送。',
  sentUsual: '{network} 通常需要约 {time}。',
  notThrough: '没有成功？',
  notThroughLead:
    '请先在钱包中查看这笔交易。只要它还在等待，就仍可能到账：请继续等待，或在钱包中加速。只有当钱包显示交易失败或已被丢弃时，才再次付款。否则您会第二次支付 {amount}。',
  notThroughSeen:
    '网络已看到您的转账。网络繁忙时需要更久。请勿再次付款：如果网络丢弃了这笔转账，本页会说明。',
  payWithin: '请在 {left} 内付款（您当地时间 {time} 之前）',
  disputeYours: '您报告的问题',
  writeToShop: '联系 {merchant} 时，请注明此编号：',
  transaction: '交易',
  printReceipt: '打印或另存为 PDF',
  itemEach: '每件 {price}',
};
