import type { WalletMessages } from './en.ts';

export const walletId: WalletMessages = {
  walletTitle: 'Bayar dari dompet {wallet} Anda',
  walletLead: 'Masuk untuk membayar {amount} dari saldo Anda.',
  walletOpen: 'Bayar di dompet saya',
  walletWaitingTitle: 'Setujui pembayaran ini di dompet {wallet} Anda',
  walletWaitingLead:
    'Setujui {amount} di sana. Halaman ini berlanjut sendiri. Sementara itu, jangan bayar dengan cara lain.',
  walletCheckingTitle: 'Dompet {wallet} Anda sedang membayar',
  walletLostTitle: 'Dompet {wallet} Anda tidak membayar',
  methodWallet: 'Dompet {wallet}',
  methodWalletHint: 'Dari saldo Anda',
  noticePayInWallet: 'Bayar ini lewat dompet Anda: masuk ke sana terlebih dahulu. Tidak ada yang ditagih.',
  noticeWalletRefused:
    'Dompet Anda menolak pembayaran ini. Tidak ada yang ditagih. Dompet Anda dapat memberi tahu alasannya; Anda juga dapat membayar dengan cara lain.',
  noticeWalletUnanswered:
    'Dompet Anda tidak menjawab. Tidak ada yang ditagih, dan dana yang mungkin telah disisihkan akan dilepaskan. Anda dapat mencoba lagi.',
  noticeWalletAsked: 'Dompet Anda sudah ditanya tentang pembayaran ini. Tunggu sebentar, lalu periksa lagi.',
};
