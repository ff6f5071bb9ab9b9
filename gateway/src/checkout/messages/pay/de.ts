import type { PayMessages } from './en.ts';

export const payDe: PayMessages = {
  otherWays: 'Andere Wege und Hilfe',
  openWallet: 'In Ihrer Wallet öffnen',
  openWalletNamed: 'In {wallet} öffnen',
  anotherWallet: 'Andere Wallet',
  openPiBrowser: 'Im Pi Browser öffnen',
  orOnNetwork: 'Oder über {network} senden',
  sentTitle: 'Gesendet, das Netzwerk ist am Zug',
  sentLead: 'Zahlen Sie nicht noch einmal. Sie müssen nichts tun und können diese Seite schließen.',
  sentSince: 'Vor {time} gesendet.',
  sentUsual: '{network} braucht meist etwa {time}.',
  notThrough: 'Ist es nicht angekommen?',
  notThroughLead:
    'Sehen Sie zuerst in Ihrer Wallet nach der Transaktion. Solange sie dort wartet, kann sie noch ankommen: Warten Sie, oder beschleunigen Sie sie in der Wallet. Zahlen Sie nur dann noch einmal, wenn die Wallet sagt, dass sie fehlgeschlagen oder verworfen ist. Sonst zahlen Sie {amount} ein zweites Mal.',
  notThroughSeen:
    'Das Netzwerk hat Ihre Überweisung gesehen. Ist es ausgelastet, dauert es länger. Zahlen Sie nicht noch einmal: Verwirft das Netzwerk die Überweisung, steht es auf dieser Seite.',
  payWithin: 'Zahlbar innerhalb von {left} (bis {time} Ihrer Zeit)',
  disputeYours: 'Was Sie gemeldet haben',
  writeToShop: 'Nennen Sie diese Referenz, wenn Sie an {merchant} schreiben:',
  transaction: 'Transaktion',
  printReceipt: 'Drucken oder als PDF sichern',
  itemEach: 'je {price}',
};
