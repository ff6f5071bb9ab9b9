import type { OwedMessages } from './en.ts';

export const owedFr: OwedMessages = {
  owedTitle: 'Ce qui vous est dû',
  owedLead: 'Indiquez une adresse à vous sur {network}. Vous reverrez tout avant le moindre envoi.',
  owedExchange:
    'Sur une plateforme d’échange, utilisez votre propre adresse de dépôt de {currency} sur {network}.',
  owedBelowMinimum: 'Le plus petit montant qui peut être envoyé est {minimum}. Il vous reste dû.',
  owedNeedsConfirmation:
    'Si ce n’est pas l’adresse d’où vient l’argent, {merchant} doit d’abord la confirmer.',
  owedAddress: 'Votre adresse sur {network}',
  owedMemo: 'Mémo, si votre plateforme en exige un',
  owedButton: 'Continuer',
  owedCheckTitle: 'Vérifiez avant l’envoi',
  owedCheckLead: '{amount} iront à l’adresse ci-dessous, sur {network}. Un envoi ne peut pas être annulé.',
  owedFaultTitle: 'L’envoi n’est pas possible ainsi',
  owedFaultLead: '{amount} vous sont dus sur {network}. Rien n’a été envoyé.',
  owedCheckSender:
    'L’argent vient de cette adresse. Si elle appartient à une plateforme d’échange, elle n’est pas à vous et l’argent risque de ne pas vous parvenir : utilisez votre propre adresse de dépôt.',
  owedCheckContract: 'Il y a un contrat à cette adresse. Ne continuez que si c’est un portefeuille à vous.',
  owedCheckConfirmation: '{merchant} doit confirmer cette adresse avant le moindre envoi.',
  owedProofTitle: 'Ou signez vous-même',
  owedProofLead:
    '{merchant} n’a rien à confirmer si le portefeuille d’où vient l’argent signe le texte ci-dessous. Une signature ne coûte rien et ne déplace pas d’argent. Doit signer :',
  owedProofSign: 'Signer avec {wallet}',
  owedProofSignature: 'Signature (facultative)',
  owedProofHint:
    'Vous pouvez aussi signer exactement ce texte dans un autre programme et coller la signature ici.',
  owedProofContract:
    'Un portefeuille de contrat, comme un Safe, peut aussi le signer. On demande alors à son réseau s’il accepte la signature.',
  owedProofOther: 'Votre portefeuille utilise {account}. Choisissez l’adresse d’où vient l’argent.',
  owedProofDeclined: 'Vous avez refusé dans votre portefeuille. Rien n’a été signé.',
  owedProofTrouble: 'Votre portefeuille signale : {problem}',
  owedProofSigned: 'Signé. Confirmez avec le bouton ci-dessous.',
  owedConfirm: 'Oui, envoyer à cette adresse',
  owedBack: 'Retour',
  refundsTitle: 'Remboursements',
  refundAwaitingDestination: 'En attente de votre adresse',
  refundAwaitingApproval: 'En attente d’approbation',
  refundQueued: 'En attente d’envoi',
  refundSending: 'Envoi en cours',
  refundCompleted: 'Envoyé',
  refundCancelled: 'Annulé',
  refundRejected: 'Refusé',
  refundFailed: 'Échec. Rien n’a été envoyé.',
  noticeOwedAddressMissing: 'Indiquez une adresse.',
  noticeOwedAddressInvalid: 'Ce n’est pas une adresse de ce réseau. Cherchez une faute de frappe.',
  noticeOwedAddressOurs:
    'Rien ne peut être envoyé à cette adresse : elle appartient à ce service ou à un jeton.',
  noticeOwedMemoInvalid: 'Ce mémo ne peut pas être utilisé.',
  noticeOwedSignature:
    'Cette signature ne convient pas. Signez exactement le texte ci-dessous avec l’adresse d’où vient l’argent, ou laissez le champ vide.',
  noticeOwedSignatureUnread:
    'Le réseau n’a pas pu dire si votre portefeuille accepte cette signature. Réessayez plus tard, ou laissez le champ vide.',
  noticeOwedGone: 'Cela a déjà été demandé ou n’est plus dû. Voir ci-dessous.',
  noticeOwedUnavailable:
    'L’envoi n’est pas possible pour l’instant. Le montant vous reste dû : réessayez plus tard.',
  noticeOwedOrdered: 'Merci. Vous voyez ci-dessous où en est l’envoi.',
  noticeOwedAwaits: 'Merci. La boutique doit d’abord confirmer l’adresse.',
};
