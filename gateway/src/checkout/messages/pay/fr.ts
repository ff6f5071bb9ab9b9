import type { PayMessages } from './en.ts';

export const payFr: PayMessages = {
  otherWays: 'Autres moyens et aide',
  openWallet: 'Ouvrir dans votre portefeuille',
  openWalletNamed: 'Ouvrir dans {wallet}',
  anotherWallet: 'Autre portefeuille',
  openPiBrowser: 'Ouvrir dans le Pi Browser',
  orOnNetwork: 'Ou envoyez-le sur {network}',
  sentTitle: 'Envoyé, en attente du réseau',
  sentLead: 'Ne payez pas une seconde fois. Vous n’avez rien à faire et pouvez fermer cette page.',
  sentSince: 'Envoyé il y a {time}.',
  sentUsual: '{network} met d’ordinaire environ {time}.',
  notThrough: 'Ce n’est pas passé ?',
  notThroughLead:
    'Regardez d’abord la transaction dans votre portefeuille. Tant qu’elle y est en attente, elle peut encore arriver : patientez, ou accélérez-la dans le portefeuille. Ne payez de nouveau que si le portefeuille indique qu’elle a échoué ou a été abandonnée. Sinon vous paieriez {amount} une seconde fois.',
  notThroughSeen:
    'Le réseau a vu votre transfert. S’il est chargé, cela dure plus longtemps. Ne payez pas une seconde fois : si le réseau abandonne le transfert, cette page l’indique.',
  payWithin: 'À payer dans {left} (jusqu’à {time}, votre heure)',
  disputeYours: 'Ce que vous avez signalé',
  writeToShop: 'Si vous écrivez à {merchant}, indiquez cette référence :',
  transaction: 'Transaction',
  printReceipt: 'Imprimer ou enregistrer en PDF',
  itemEach: '{price} l’unité',
};
