import type { PayMessages } from './en.ts';

export const payAr: PayMessages = {
  otherWays: 'طرق أخرى ومساعدة',
  openWallet: 'افتح في محفظتك',
  openWalletNamed: 'افتح في {wallet}',
  anotherWallet: 'محفظة أخرى',
  openPiBrowser: 'افتح في Pi Browser',
  orOnNetwork: 'أو أرسل عبر {network}',
  sentTitle: 'تم الإرسال، بانتظار الشبكة',
  sentLead: 'لا تدفع مرة أخرى. لا يلزمك فعل أي شيء، ويمكنك إغلاق هذه الصفحة.',
  sentSince: 'أُرسل منذ {time}.',
  sentUsual: 'تحتاج {network} عادةً إلى نحو {time}.',
  notThrough: 'ألم تصل الدفعة؟',
  notThroughLead:
    'انظر أولًا إلى المعاملة في محفظتك. ما دامت تنتظر هناك فقد تصل بعد: انتظر، أو سرّعها في المحفظة. لا تدفع مرة أخرى إلا إذا قالت المحفظة إنها فشلت أو أُسقطت، وإلا دفعت {amount} مرة ثانية.',
  notThroughSeen:
    'رأت الشبكة تحويلك. حين تكون مزدحمة يطول ذلك. لا تدفع مرة أخرى: إن أسقطت الشبكة التحويل فستذكره هذه الصفحة.',
  payWithin: 'ادفع خلال {left} (حتى {time} بتوقيتك)',
  disputeYours: 'ما أبلغت عنه',
  writeToShop: 'إن راسلت {merchant} فاذكر هذا المرجع:',
  transaction: 'المعاملة',
  printReceipt: 'اطبع أو احفظ بصيغة PDF',
  itemEach: '{price} للواحد',
};
