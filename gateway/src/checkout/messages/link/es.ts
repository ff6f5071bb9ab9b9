import type { LinkMessages } from './words.ts';

/** What the page of a payment link says, in Spanish. */
export const linkEs: LinkMessages = {
  linkLead: 'A continuación elige cómo pagar. No se cobra nada antes de que lo confirme.',
  linkAmount: 'Importe en {currency}',
  linkBetween: 'De {min} a {max}',
  linkAtLeast: 'Como mínimo {min}',
  linkAtMost: 'Como máximo {max}',
  linkFeeAdded: 'Se añade una comisión. Verá el total antes de pagar.',
  linkContinue: 'Continuar',
  linkFaultAmount: 'Escriba el importe en cifras, por ejemplo 12,50.',
  linkFaultDecimals: 'El importe tiene demasiados decimales para {currency}.',
  linkFaultMinimum: 'El pago más pequeño vale {min} USD.',
  linkOwnTitle: 'Usted ha empezado este pago',
  linkOwnLead: 'Puede seguir donde lo dejó.',
  linkOwnButton: 'Seguir con su pago',
  linkOwnPaid: 'Ver su pago',
  linkTakenTitle: 'Alguien ya está pagando esto',
  linkTakenLead:
    'Este enlace es para un solo pago. Si ese pago no se completa, podrá pagar aquí a partir de {time}.',
  linkTakenOpenLead:
    'Este enlace es para un solo pago, y hay uno en curso. Si no es el suyo, pregunte a {merchant}.',
  linkUsedTitle: 'Esto ya está pagado',
  linkUsedLead: 'Este enlace era para un solo pago. No queda nada por pagar.',
  linkExpiredTitle: 'Este enlace ha caducado',
  linkExpiredLead: 'Se podía usar hasta {time}. Pida uno nuevo a {merchant}.',
  linkStoppedTitle: 'Este enlace ya no se usa',
  linkStoppedLead: 'No se ha cobrado nada. Si quiere pagar, pregunte a {merchant}.',
  linkClosedLead: 'No se ha cobrado nada. Inténtelo de nuevo más tarde.',
  linkTooMany: 'Demasiados pagos a la vez. Espere un minuto e inténtelo de nuevo.',
};
