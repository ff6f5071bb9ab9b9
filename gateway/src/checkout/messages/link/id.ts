import type { LinkMessages } from './words.ts';

/** What the page of a payment link says, in Indonesian. */
export const linkId: LinkMessages = {
  linkLead: 'Selanjutnya Anda memilih cara membayar. Tidak ada yang ditagih sebelum Anda menyetujuinya.',
  linkAmount: 'Jumlah dalam {currency}',
  linkBetween: 'Dari {min} sampai {max}',
  linkAtLeast: 'Paling sedikit {min}',
  linkAtMost: 'Paling banyak {max}',
  linkFeeAdded: 'Biaya akan ditambahkan. Anda melihat totalnya sebelum membayar.',
  linkContinue: 'Lanjutkan',
  linkFaultAmount: 'Tulis jumlahnya dengan angka, misalnya 12,50.',
  linkFaultDecimals: 'Jumlah ini memiliki terlalu banyak desimal untuk {currency}.',
  linkFaultMinimum: 'Pembayaran terkecil bernilai {min} USD.',
  linkOwnTitle: 'Anda sudah memulai pembayaran ini',
  linkOwnLead: 'Anda dapat melanjutkan dari tempat Anda berhenti.',
  linkOwnButton: 'Lanjutkan pembayaran Anda',
  linkOwnPaid: 'Lihat pembayaran Anda',
  linkTakenTitle: 'Seseorang sedang membayar ini',
  linkTakenLead:
    'Tautan ini hanya untuk satu pembayaran. Jika pembayaran itu tidak selesai, Anda dapat membayar di sini setelah {time}.',
  linkTakenOpenLead:
    'Tautan ini hanya untuk satu pembayaran, dan satu pembayaran sedang berjalan. Jika itu bukan milik Anda, tanyakan kepada {merchant}.',
  linkUsedTitle: 'Ini sudah dibayar',
  linkUsedLead: 'Tautan ini hanya untuk satu pembayaran. Tidak ada lagi yang harus dibayar.',
  linkExpiredTitle: 'Tautan ini sudah kedaluwarsa',
  linkExpiredLead: 'Tautan ini berlaku sampai {time}. Mintalah tautan baru kepada {merchant}.',
  linkStoppedTitle: 'Tautan ini tidak lagi digunakan',
  linkStoppedLead: 'Tidak ada yang ditagih. Tanyakan kepada {merchant} jika Anda ingin membayar.',
  linkClosedLead: 'Tidak ada yang ditagih. Silakan coba lagi nanti.',
  linkTooMany: 'Terlalu banyak pembayaran sekaligus. Tunggu satu menit, lalu coba lagi.',
};
