/** What the page says while the customer pays, and on the receipt, in English. */
export const payEn = {
  otherWays: 'Other ways and help',
  openWallet: 'Open in your wallet',
  openWalletNamed: 'Open in {wallet}',
  anotherWallet: 'Another wallet',
  openPiBrowser: 'Open in the Pi Browser',
  orOnNetwork: 'Or send it on {network}',
  sentTitle: 'Sent, waiting for the network',
  sentLead: 'Do not pay again. You do not need to do anything and may close this page.',
  sentSince: 'Sent {time} ago.',
  sentUsual: '{network} usually needs about {time}.',
  notThrough: 'It did not go through?',
  notThroughLead:
    'Look at the transaction in your wallet first. While it waits there, it can still arrive: keep waiting, or speed it up in the wallet. Only if the wallet says that it failed or was dropped, pay again. Otherwise you would pay {amount} a second time.',
  notThroughSeen:
    'The network has seen your transfer. When it is busy, this takes longer. Do not pay again: if the network drops the transfer, this page says so.',
  payWithin: 'Pay within {left} (until {time} your time)',
  disputeYours: 'What you reported',
  writeToShop: 'If you write to {merchant}, name this reference:',
  transaction: 'Transaction',
  printReceipt: 'Print or save as PDF',
  itemEach: '{price} each',
} as const;
