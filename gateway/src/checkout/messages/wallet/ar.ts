import type { WalletMessages } from './en.ts';

export const walletAr: WalletMessages = {
  walletTitle: 'ادفع من محفظتك في {wallet}',
  walletLead: 'سجّل الدخول لدفع {amount} من رصيدك.',
  walletOpen: 'الدفع في محفظتي',
  walletWaitingTitle: 'وافق على هذه الدفعة في محفظتك في {wallet}',
  walletWaitingLead:
    'وافق هناك على {amount}. تتابع هذه الصفحة من تلقاء نفسها. لا تدفع بطريقة أخرى في هذه الأثناء.',
  walletCheckingTitle: 'محفظتك في {wallet} تدفع الآن',
  walletLostTitle: 'لم تدفع محفظتك في {wallet}',
  methodWallet: 'محفظة {wallet}',
  methodWalletHint: 'من رصيدك',
  noticePayInWallet: 'ادفع هذا المبلغ من محفظتك: سجّل الدخول إليها أولًا. لم يُخصم أي شيء.',
  noticeWalletRefused:
    'رفضت محفظتك هذه الدفعة. لم يُخصم أي شيء. يمكنك معرفة السبب في محفظتك، ويمكنك أيضًا الدفع بطريقة أخرى.',
  noticeWalletUnanswered:
    'لم تُجب محفظتك. لم يُخصم أي شيء، وما قد تكون حجزته يُفرَج عنه. يمكنك المحاولة مرة أخرى.',
  noticeWalletAsked: 'محفظتك تُسأل بالفعل عن هذه الدفعة. انتظر لحظة ثم تحقق مجددًا.',
};
