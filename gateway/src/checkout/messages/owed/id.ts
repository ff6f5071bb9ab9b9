import type { OwedMessages } from './en.ts';

export const owedId: OwedMessages = {
  owedTitle: 'Hak Anda',
  owedLead:
    'Masukkan alamat milik Anda di {network}. Semuanya ditampilkan sekali lagi sebelum ada yang dikirim.',
  owedExchange: 'Di bursa, gunakan alamat deposit Anda sendiri untuk {currency} di {network}.',
  owedBelowMinimum: 'Jumlah terkecil yang dapat dikirim adalah {minimum}. Uang ini tetap hak Anda.',
  owedNeedsConfirmation: 'Jika bukan alamat asal uang itu, {merchant} harus mengonfirmasinya dulu.',
  owedAddress: 'Alamat Anda di {network}',
  owedMemo: 'Memo, jika bursa Anda memintanya',
  owedButton: 'Lanjutkan',
  owedCheckTitle: 'Periksa sebelum dikirim',
  owedCheckLead:
    '{amount} dikirim ke alamat di bawah, di {network}. Yang sudah dikirim tidak dapat ditarik kembali.',
  owedFaultTitle: 'Tidak dapat dikirim seperti ini',
  owedFaultLead: '{amount} di {network} adalah hak Anda. Tidak ada yang dikirim.',
  owedCheckSender:
    'Uang itu berasal dari alamat ini. Jika milik bursa, alamat ini bukan milik Anda dan uang mungkin tidak sampai kepada Anda: gunakan alamat deposit Anda sendiri di sana.',
  owedCheckContract: 'Ada kontrak di alamat ini. Lanjutkan hanya jika ini dompet Anda.',
  owedCheckConfirmation: '{merchant} harus mengonfirmasi alamat ini sebelum ada yang dikirim.',
  owedProofTitle: 'Atau tanda tangani sendiri',
  owedProofLead:
    '{merchant} tidak perlu mengonfirmasi jika dompet asal uang itu menandatangani teks di bawah. Tanda tangan tidak memerlukan biaya dan tidak memindahkan uang. Yang harus menandatangani:',
  owedProofSign: 'Tanda tangani dengan {wallet}',
  owedProofSignature: 'Tanda tangan (opsional)',
  owedProofHint:
    'Anda juga dapat menandatangani persis teks ini di program lain dan menempelkan tanda tangannya di sini.',
  owedProofContract:
    'Dompet kontrak, seperti Safe, juga dapat menandatanganinya. Jaringannya lalu ditanya apakah dompet itu menerima tanda tangannya.',
  owedProofOther: 'Dompet Anda memakai {account}. Pilih alamat asal uang itu.',
  owedProofDeclined: 'Anda menolaknya di dompet. Tidak ada yang ditandatangani.',
  owedProofTrouble: 'Dompet Anda melaporkan: {problem}',
  owedProofSigned: 'Sudah ditandatangani. Konfirmasikan dengan tombol di bawah.',
  owedConfirm: 'Ya, kirim ke sana',
  owedBack: 'Kembali',
  refundsTitle: 'Pengembalian dana',
  refundAwaitingDestination: 'Menunggu alamat Anda',
  refundAwaitingApproval: 'Menunggu persetujuan',
  refundQueued: 'Menunggu pengiriman',
  refundSending: 'Sedang dikirim',
  refundCompleted: 'Terkirim',
  refundCancelled: 'Dibatalkan',
  refundRejected: 'Ditolak',
  refundFailed: 'Gagal. Tidak ada yang dikirim.',
  noticeOwedAddressMissing: 'Masukkan sebuah alamat.',
  noticeOwedAddressInvalid: 'Ini bukan alamat di jaringan itu. Periksa salah ketik.',
  noticeOwedAddressOurs:
    'Tidak ada yang dapat dikirim ke alamat ini: alamat ini milik layanan ini atau milik token.',
  noticeOwedMemoInvalid: 'Memo ini tidak dapat digunakan.',
  noticeOwedSignature:
    'Tanda tangan ini tidak cocok. Tanda tangani persis teks di bawah dengan alamat asal uang itu, atau kosongkan kolomnya.',
  noticeOwedSignatureUnread:
    'Jaringan tidak dapat ditanya apakah dompet Anda menerima tanda tangan ini. Coba lagi nanti, atau kosongkan kolomnya.',
  noticeOwedGone: 'Ini sudah diminta, atau bukan hak Anda lagi. Lihat di bawah.',
  noticeOwedUnavailable: 'Saat ini tidak dapat dikirim. Uang ini tetap hak Anda: coba lagi nanti.',
  noticeOwedOrdered: 'Terima kasih. Perkembangannya terlihat di bawah.',
  noticeOwedAwaits: 'Terima kasih. Toko harus mengonfirmasi alamatnya dulu.',
};
