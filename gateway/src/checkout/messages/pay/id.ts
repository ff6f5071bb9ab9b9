import type { PayMessages } from './en.ts';

export const payId: PayMessages = {
  otherWays: 'Cara lain dan bantuan',
  openWallet: 'Buka di dompet Anda',
  openWalletNamed: 'Buka di {wallet}',
  anotherWallet: 'Dompet lain',
  openPiBrowser: 'Buka di Pi Browser',
  orOnNetwork: 'Atau kirim lewat {network}',
  sentTitle: 'Terkirim, menunggu jaringan',
  sentLead: 'Jangan bayar lagi. Anda tidak perlu melakukan apa pun dan boleh menutup halaman ini.',
  sentSince: 'Terkirim {time} yang lalu.',
  sentUsual: '{network} biasanya perlu sekitar {time}.',
  notThrough: 'Tidak berhasil?',
  notThroughLead:
    'Lihat dulu transaksinya di dompet Anda. Selama masih menunggu di sana, transaksi masih bisa tiba: tunggu, atau percepat di dompet. Bayar lagi hanya jika dompet mengatakan transaksinya gagal atau dibuang. Jika tidak, Anda membayar {amount} dua kali.',
  notThroughSeen:
    'Jaringan sudah melihat transfer Anda. Saat jaringan sibuk, ini lebih lama. Jangan bayar lagi: jika jaringan membuang transfer itu, halaman ini memberi tahu.',
  payWithin: 'Bayar dalam {left} (hingga {time} waktu Anda)',
  disputeYours: 'Yang Anda laporkan',
  writeToShop: 'Jika menghubungi {merchant}, sebutkan referensi ini:',
  transaction: 'Transaksi',
  printReceipt: 'Cetak atau simpan sebagai PDF',
  itemEach: '{price} per buah',
};
