import type { PayMessages } from './en.ts';

export const payEs: PayMessages = {
  otherWays: 'Otras formas y ayuda',
  openWallet: 'Abrir en su monedero',
  openWalletNamed: 'Abrir en {wallet}',
  anotherWallet: 'Otro monedero',
  openPiBrowser: 'Abrir en el Pi Browser',
  orOnNetwork: 'O envíelo por {network}',
  sentTitle: 'Enviado, esperando a la red',
  sentLead: 'No pague otra vez. No tiene que hacer nada y puede cerrar esta página.',
  sentSince: 'Enviado hace {time}.',
  sentUsual: '{network} suele necesitar unos {time}.',
  notThrough: '¿No ha llegado?',
  notThroughLead:
    'Mire primero la transacción en su monedero. Mientras espere allí, aún puede llegar: espere o acelérela en el monedero. Pague otra vez solo si el monedero dice que falló o se descartó. De lo contrario pagaría {amount} por segunda vez.',
  notThroughSeen:
    'La red ha visto su transferencia. Si está ocupada, tarda más. No pague otra vez: si la red la descarta, esta página lo dirá.',
  payWithin: 'Pague en {left} (hasta: {time}, su hora)',
  disputeYours: 'Lo que usted comunicó',
  writeToShop: 'Si escribe a {merchant}, indique esta referencia:',
  transaction: 'Transacción',
  printReceipt: 'Imprimir o guardar como PDF',
  itemEach: '{price} cada uno',
};
