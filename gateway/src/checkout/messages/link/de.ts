import type { LinkMessages } from './words.ts';

/** What the page of a payment link says, in German. */
export const linkDe: LinkMessages = {
  linkLead: 'Als Nächstes wählen Sie, wie Sie zahlen. Es wird nichts abgebucht, bevor Sie es bestätigen.',
  linkAmount: 'Betrag in {currency}',
  linkBetween: 'Von {min} bis {max}',
  linkAtLeast: 'Mindestens {min}',
  linkAtMost: 'Höchstens {max}',
  linkFeeAdded: 'Dazu kommt eine Gebühr. Sie sehen die Summe, bevor Sie zahlen.',
  linkContinue: 'Weiter',
  linkFaultAmount: 'Geben Sie den Betrag in Ziffern ein, zum Beispiel 12,50.',
  linkFaultDecimals: 'Der Betrag hat zu viele Nachkommastellen für {currency}.',
  linkFaultMinimum: 'Die kleinste Zahlung ist {min} USD wert.',
  linkOwnTitle: 'Sie haben diese Zahlung begonnen',
  linkOwnLead: 'Sie können dort weitermachen, wo Sie aufgehört haben.',
  linkOwnButton: 'Mit Ihrer Zahlung fortfahren',
  linkOwnPaid: 'Ihre Zahlung ansehen',
  linkTakenTitle: 'Hier zahlt gerade schon jemand',
  linkTakenLead:
    'Dieser Link ist für eine einzige Zahlung. Wird sie nicht abgeschlossen, können Sie hier ab {time} zahlen.',
  linkTakenOpenLead:
    'Dieser Link ist für eine einzige Zahlung, und eine ist im Gang. Wenn es nicht Ihre ist, fragen Sie {merchant}.',
  linkUsedTitle: 'Das ist bezahlt',
  linkUsedLead: 'Dieser Link war für eine einzige Zahlung. Es ist nichts mehr zu zahlen.',
  linkExpiredTitle: 'Dieser Link ist abgelaufen',
  linkExpiredLead: 'Er war bis {time} gültig. Bitten Sie {merchant} um einen neuen.',
  linkStoppedTitle: 'Dieser Link wird nicht mehr benutzt',
  linkStoppedLead: 'Es wurde nichts abgebucht. Fragen Sie {merchant}, wenn Sie zahlen möchten.',
  linkClosedLead: 'Es wurde nichts abgebucht. Bitte versuchen Sie es später erneut.',
  linkTooMany: 'Zu viele Zahlungen auf einmal. Warten Sie eine Minute und versuchen Sie es erneut.',
};
