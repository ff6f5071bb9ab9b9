import type { OwedMessages } from './en.ts';

export const owedDe: OwedMessages = {
  owedTitle: 'Wird Ihnen geschuldet',
  owedLead:
    'Geben Sie eine eigene Adresse auf {network} an. Sie sehen alles noch einmal, bevor etwas gesendet wird.',
  owedExchange: 'Bei einer Börse ist das Ihre eigene Einzahlungsadresse für {currency} auf {network}.',
  owedBelowMinimum:
    'Der kleinste Betrag, der gesendet werden kann, ist {minimum}. Er wird Ihnen weiter geschuldet.',
  owedNeedsConfirmation:
    'Ist es nicht die Adresse, von der das Geld kam, muss {merchant} sie zuerst bestätigen.',
  owedAddress: 'Ihre Adresse auf {network}',
  owedMemo: 'Memo, falls Ihre Börse eines verlangt',
  owedButton: 'Weiter',
  owedCheckTitle: 'Prüfen Sie es, bevor es gesendet wird',
  owedCheckLead:
    '{amount} gehen an die Adresse unten, auf {network}. Was gesendet wurde, lässt sich nicht zurückholen.',
  owedFaultTitle: 'So kann es nicht gesendet werden',
  owedFaultLead: '{amount} werden Ihnen auf {network} geschuldet. Es wurde nichts gesendet.',
  owedCheckSender:
    'Von dieser Adresse kam das Geld. Gehört sie einer Börse, ist sie nicht Ihre, und das Geld erreicht Sie vielleicht nicht: Nehmen Sie Ihre eigene Einzahlungsadresse dort.',
  owedCheckContract:
    'An dieser Adresse ist ein Vertrag. Fahren Sie nur fort, wenn es eine Wallet von Ihnen ist.',
  owedCheckConfirmation: '{merchant} muss diese Adresse bestätigen, bevor etwas gesendet wird.',
  owedProofTitle: 'Oder unterschreiben Sie es selbst',
  owedProofLead:
    '{merchant} muss nichts bestätigen, wenn die Wallet, von der das Geld kam, den Text unten unterschreibt. Eine Unterschrift kostet nichts und bewegt kein Geld. Unterschreiben muss:',
  owedProofSign: 'Mit {wallet} unterschreiben',
  owedProofSignature: 'Unterschrift (freiwillig)',
  owedProofHint:
    'Sie können genau diesen Text auch in einem anderen Programm unterschreiben und die Unterschrift hier einfügen.',
  owedProofContract:
    'Auch eine Vertrags-Wallet wie ein Safe kann unterschreiben. Ihr Netzwerk wird dann gefragt, ob sie die Unterschrift annimmt.',
  owedProofOther: 'Ihre Wallet nutzt {account}. Wählen Sie die Adresse, von der das Geld kam.',
  owedProofDeclined: 'Sie haben es in Ihrer Wallet abgelehnt. Es wurde nichts unterschrieben.',
  owedProofTrouble: 'Ihre Wallet meldet: {problem}',
  owedProofSigned: 'Unterschrieben. Bestätigen Sie es mit dem Knopf unten.',
  owedConfirm: 'Ja, dorthin senden',
  owedBack: 'Zurück',
  refundsTitle: 'Erstattungen',
  refundAwaitingDestination: 'Wartet auf Ihre Adresse',
  refundAwaitingApproval: 'Wartet auf die Freigabe',
  refundQueued: 'Wartet auf das Senden',
  refundSending: 'Wird gesendet',
  refundCompleted: 'Gesendet',
  refundCancelled: 'Storniert',
  refundRejected: 'Abgelehnt',
  refundFailed: 'Fehlgeschlagen. Es wurde nichts gesendet.',
  noticeOwedAddressMissing: 'Geben Sie eine Adresse an.',
  noticeOwedAddressInvalid: 'Das ist keine Adresse dieses Netzwerks. Suchen Sie nach einem Tippfehler.',
  noticeOwedAddressOurs:
    'An diese Adresse kann nichts gesendet werden: Sie gehört diesem Dienst oder einem Token.',
  noticeOwedMemoInvalid: 'Dieses Memo kann nicht verwendet werden.',
  noticeOwedSignature:
    'Diese Unterschrift passt nicht. Unterschreiben Sie genau den Text unten mit der Adresse, von der das Geld kam, oder lassen Sie das Feld leer.',
  noticeOwedSignatureUnread:
    'Das Netzwerk konnte nicht gefragt werden, ob Ihre Wallet diese Unterschrift annimmt. Versuchen Sie es später noch einmal, oder lassen Sie das Feld leer.',
  noticeOwedGone: 'Das wurde schon angefordert oder wird nicht mehr geschuldet. Siehe unten.',
  noticeOwedUnavailable:
    'Es kann gerade nicht gesendet werden. Es wird Ihnen weiter geschuldet: Versuchen Sie es später noch einmal.',
  noticeOwedOrdered: 'Danke. Unten sehen Sie, wie weit es ist.',
  noticeOwedAwaits: 'Danke. Der Shop muss die Adresse zuerst bestätigen.',
};
