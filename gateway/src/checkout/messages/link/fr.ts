import type { LinkMessages } from './words.ts';

/** What the page of a payment link says, in French. */
export const linkFr: LinkMessages = {
  linkLead: 'Vous choisissez ensuite comment payer. Rien n’est débité avant votre confirmation.',
  linkAmount: 'Montant en {currency}',
  linkBetween: 'De {min} à {max}',
  linkAtLeast: 'Au moins {min}',
  linkAtMost: 'Au plus {max}',
  linkFeeAdded: 'Des frais s’ajoutent. Vous voyez le total avant de payer.',
  linkContinue: 'Continuer',
  linkFaultAmount: 'Saisissez le montant en chiffres, par exemple 12,50.',
  linkFaultDecimals: 'Le montant a trop de décimales pour {currency}.',
  linkFaultMinimum: 'Le plus petit paiement vaut {min} USD.',
  linkOwnTitle: 'Vous avez commencé ce paiement',
  linkOwnLead: 'Vous pouvez reprendre là où vous vous êtes arrêté.',
  linkOwnButton: 'Reprendre votre paiement',
  linkOwnPaid: 'Voir votre paiement',
  linkTakenTitle: 'Quelqu’un est déjà en train de payer',
  linkTakenLead:
    'Ce lien est prévu pour un seul paiement. Si celui-ci n’aboutit pas, vous pourrez payer ici après {time}.',
  linkTakenOpenLead:
    'Ce lien est prévu pour un seul paiement, et un paiement est en cours. Si ce n’est pas le vôtre, demandez à {merchant}.',
  linkUsedTitle: 'C’est payé',
  linkUsedLead: 'Ce lien était prévu pour un seul paiement. Il n’y a plus rien à payer.',
  linkExpiredTitle: 'Ce lien a expiré',
  linkExpiredLead: 'Il était valable jusqu’au {time}. Demandez-en un nouveau à {merchant}.',
  linkStoppedTitle: 'Ce lien n’est plus utilisé',
  linkStoppedLead: 'Rien n’a été débité. Si vous voulez payer, demandez à {merchant}.',
  linkClosedLead: 'Rien n’a été débité. Veuillez réessayer plus tard.',
  linkTooMany: 'Trop de paiements à la fois. Attendez une minute, puis réessayez.',
};
