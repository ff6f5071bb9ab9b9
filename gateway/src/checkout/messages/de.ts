import { owedDe } from './owed/de.ts';
import { payDe } from './pay/de.ts';
import type { Messages } from './translate.ts';
import { walletDe } from './wallet/de.ts';

export const de: Messages = {
  ...owedDe,
  ...payDe,
  ...walletDe,
  languageName: 'Deutsch',
  language: 'Sprache',

  testLabel: 'TEST',
  testBanner: 'Simulation: Es fließt kein echtes Geld.',
  amountToPay: 'Zu zahlen',
  amountMissing: 'Noch zu senden',
  amountPaid: 'Bezahlt',
  amountPlain: 'Betrag',
  feeIncluded: 'Darin enthalten: {fee} Gebühr',
  payBy: 'Zahlbar bis {time}',
  timeLeft: 'Noch {time}',
  checkAgain: 'Erneut prüfen',
  returnTo: 'Zurück zu {host}',
  returningIn: 'In {seconds} s geht es weiter zu {host}',
  stayHere: 'Auf dieser Seite bleiben',

  waitingTitle: 'Wählen Sie, wie Sie zahlen',
  waitingOneTitle: 'Bereit zur Zahlung',
  waitingLead: 'Es wird nichts abgebucht, bevor Sie es bestätigen.',
  noMethodTitle: 'Diese Zahlung ist gerade nicht möglich',
  noMethodLead:
    'Für {currency} ist kein Netzwerk verfügbar. Es wurde nichts abgebucht. Bitte versuchen Sie es später erneut.',
  linkedTitle: 'Senden Sie {currency} über {network}',
  linkedLead: 'Bestätigen Sie in Ihrer Wallet.',
  linkedNotices: 'Diese Seite zeigt die Überweisung, sobald sie im Netzwerk zu sehen ist.',
  linkedNoNetworkLead:
    'Das gewählte Netzwerk ist gerade nicht verfügbar. Wenn Sie das Geld schon gesendet haben, zählt es. Sonst versuchen Sie es bitte später erneut.',
  linkedTestLead: 'Dies ist eine Simulation: Senden Sie nichts. Wählen Sie unten, was geschieht.',
  partTitle: '{received} eingegangen, {missing} fehlen noch',
  partLead: 'Senden Sie den Rest an dieselbe Adresse. Was angekommen ist, ist sicher.',
  partMemoLead: 'Senden Sie den Rest mit demselben Memo an dieselbe Adresse. Was angekommen ist, ist sicher.',
  partNoNetworkLead:
    'Was angekommen ist, ist sicher. Das Netzwerk für den Rest ist gerade nicht verfügbar. Bitte versuchen Sie es später erneut.',
  partGoneTitle: 'Das Netzwerk hat Ihre Überweisung verworfen',
  partGoneLead:
    'Es ist kein Geld angekommen. Sehen Sie in Ihrer Wallet nach, bevor Sie erneut senden: Kommt die Überweisung noch an, wird sie gezählt.',
  overpaidTitle: 'Sie haben {overpayment} zu viel gesendet',
  overpaidLead: 'Ihre Zahlung wird verarbeitet. Zahlen Sie nicht noch einmal.',
  overpaymentNote: 'Die überzähligen {overpayment} werden Ihnen geschuldet. {merchant} kann das sehen.',
  lateTitle: 'Ihre Überweisung kam nach Ablauf der Frist',
  lateCoveredLead: 'Sie zählt trotzdem, sobald sie bestätigt ist. Zahlen Sie nicht noch einmal.',
  latePartLead:
    '{received} von {due} sind angekommen und sicher. Senden Sie nichts mehr: {merchant} entscheidet, wie es weitergeht.',
  expiredTitle: 'Die Zeit ist abgelaufen. Senden Sie jetzt nichts mehr.',
  expiredLead: 'Es ist kein Geld angekommen. Um zu zahlen, beginnen Sie im Shop von vorn.',
  dustLead:
    'Angekommen sind nur {received}. Das ist zu wenig, um zu zählen. Um zu zahlen, beginnen Sie im Shop von vorn.',
  expiredLateHint: 'Schon gesendet? Was bis {time} ankommt, zählt noch.',
  unreadLead:
    'Das Netzwerk konnte noch nicht bis zu Ihrer Frist gelesen werden. Sobald das geht, wird über diese Zahlung entschieden: Was Sie rechtzeitig gesendet haben, zählt, und nichts geht verloren.',
  failedTitle: 'Die Zahlung ist fehlgeschlagen',
  failedLead: 'Es wurde nichts abgebucht. Sie können im Shop von vorn beginnen.',
  failedGoneLead:
    'Das Netzwerk hat Ihre Überweisung verworfen, sie zählt also nicht. Sehen Sie in Ihrer Wallet nach, bevor Sie erneut zahlen.',
  cancelledTitle: 'Diese Zahlung wurde abgebrochen',
  cancelledByCustomerTitle: 'Sie haben diese Zahlung abgebrochen',
  cancelledByMerchantTitle: '{merchant} hat diese Zahlung abgebrochen',
  cancelledLead: 'Es wurde nichts abgebucht. Um doch zu zahlen, beginnen Sie im Shop von vorn.',
  moneyReturnedLead: 'Es wurde entschieden, die eingegangenen {received} zu erstatten.',
  moneyArrivedLead: '{received} sind angekommen und sicher. {merchant} entscheidet, was damit geschieht.',
  appealTitle: 'Diese Zahlung wird geprüft',
  appealDisputeLead: 'Sie haben ein Problem gemeldet. Das Geld bleibt bis zur Entscheidung, wo es ist.',
  appealPartLead:
    '{received} von {due} kamen rechtzeitig an. {merchant} entscheidet, ob sie angenommen oder erstattet werden.',
  appealGoneLead:
    'Das Netzwerk hat eine bestätigte Überweisung verworfen. Sehen Sie in Ihrer Wallet nach: Kommt sie doch noch an, wird diese Zahlung von selbst abgeschlossen.',
  appealLead: 'Jemand muss das Geld zu dieser Zahlung prüfen. Nichts ist verloren.',
  appealNext: 'Sie müssen nichts tun. Bewahren Sie diese Referenz auf, falls Sie sich an {merchant} wenden:',
  appealMessages: 'Nachrichten',
  appealYou: 'Sie',
  appealOperator: 'Betreiber des Zahlungsdienstes',
  appealMessage: 'Ihre Nachricht',
  appealHint: '{merchant} und die Person, die entscheidet, lesen sie hier.',
  appealSend: 'Nachricht senden',
  completedTitle: 'Bezahlt. Vielen Dank.',
  completedLead: 'Ihre Zahlung an {merchant} ist abgeschlossen.',
  notFoundTitle: 'Diese Zahlungsseite gibt es nicht',
  notFoundLead:
    'Der Link ist unvollständig oder falsch. Es wurde nichts abgebucht. Gehen Sie zurück zum Shop und beginnen Sie von vorn.',

  continue: 'Weiter',
  methodOn: '{currency} über {network}',
  payAnotherWay: 'Anders zahlen',
  address: 'Adresse',
  memo: 'Memo',
  network: 'Netzwerk',
  memoRequired: 'Das Memo ist Pflicht',
  memoWarning:
    'Senden Sie das Memo unverändert mit. Ohne das Memo zählt das Geld nicht: Sie müssen nachweisen, dass Sie es gesendet haben, und jemand muss das prüfen. Bei einer Börse heißt das Feld vielleicht Memo, Tag oder Nachricht.',
  stepAddress: 'Adresse kopieren',
  stepMemo: 'Memo kopieren',
  stepAmount: 'Genau diesen Betrag senden',
  onlyOn: 'Nur {currency} über {network}. Netzwerkgebühren kommen hinzu.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyAddress: 'Adresse kopieren',
  copyAmount: 'Betrag kopieren',
  copyMemo: 'Memo kopieren',
  copyReference: 'Referenz kopieren',
  copyTransaction: 'Transaktion kopieren',
  qrAddressLabel: 'QR-Code der Adresse {address}',
  qrPageLabel: 'QR-Code dieser Seite',
  showAddressQr: 'Adresse als QR-Code',
  qrMemoHint: 'Dieser Code enthält nur die Adresse. Geben Sie das Memo {memo} selbst ein.',
  continueOnPhone: 'Auf dem Handy fortfahren',
  continueOnPhoneHint: 'Mit der Kamera scannen, um diese Seite dort zu öffnen.',

  username: 'Benutzername',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  payNow: '{amount} zahlen',
  alreadyPaid: 'Ich habe schon gezahlt',
  claimLead: 'Geben Sie den Transaktions-Hash ein, den Ihre Wallet anzeigt. Wir suchen die Zahlung dann.',
  transactionHash: 'Transaktions-Hash',
  claimButton: 'Zahlung suchen',
  cancelSummary: 'Diese Zahlung abbrechen',
  cancelLead: 'Nur, wenn Sie noch nichts gesendet haben.',
  cancelButton: 'Zahlung abbrechen',
  disputeSummary: 'Problem melden',
  disputeLead: 'Schreiben Sie möglichst zuerst an {merchant}. Bis {time} können Sie die Zahlung beanstanden.',
  disputeReason: 'Was ist schiefgegangen?',
  disputeButton: 'Zahlung beanstanden',

  confirmsIn: 'Bestätigt in etwa {time}',
  feeIn: 'Netzwerkgebühr in {symbol}',
  onlyOnNetwork: 'nur über {network}',
  otherNetworkWarning:
    'Senden Sie {currency} nur über {network}; Netzwerkgebühren kommen hinzu. Über ein anderes Netzwerk zählt es nicht, und es zurückzuholen dauert lange, falls es überhaupt geht.',
  showTransferQr: 'Ganze Überweisung als QR-Code',
  qrTransferLabel: 'QR-Code einer Überweisung von {amount} über {network}',
  transferQrHint:
    'Für Wallet-Apps, die ihn lesen. Vergleichen Sie Betrag und Netzwerk, bevor Sie bestätigen.',
  showTransaction: 'Im Block-Explorer ansehen',
  transferOtherCurrency: 'Andere Währung',
  wrongToken:
    '{received} sind angekommen, diese Zahlung nimmt aber {currency}. Das Geld ist sicher und zählt hier nicht. {merchant} kann es sehen.',
  browserWallet: 'Mit einer Browser-Wallet zahlen',
  browserWalletPayWith: 'Mit {wallet} zahlen',
  browserWalletUnnamed: 'Browser-Wallet',
  browserWalletChoose: 'Wählen Sie Ihre Wallet',
  browserWalletNone:
    'Dieser Browser hat keine Wallet. Kopieren Sie die Adresse, oder scannen Sie den Code mit dem Handy, das eine hat.',
  browserWalletConnecting: 'Warten auf Ihre Wallet: Erlauben Sie ihr, dieser Seite ihre Adresse zu zeigen.',
  browserWalletSwitching: 'Warten auf Ihre Wallet: Lassen Sie sie zu {network} wechseln.',
  browserWalletChecking: 'Ihr Guthaben wird geprüft.',
  browserWalletConfirming: 'Warten auf Ihre Wallet: Bestätigen Sie dort {amount}.',
  browserWalletWrongNetwork:
    'Wählen Sie in Ihrer Wallet {network} (Chain {chain}), oder fügen Sie es dort hinzu, und versuchen Sie es noch einmal. Es wurde nichts gesendet.',
  browserWalletTooLittle:
    'Ihre Wallet enthält {balance} {currency} über {network}, zu zahlen sind {amount}. Es wurde nichts gesendet.',
  browserWalletNoGas:
    'Ihre Wallet braucht etwas {symbol} über {network} für die Netzwerkgebühr. Es wurde nichts gesendet.',
  browserWalletDeclined: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
  browserWalletUnanswered:
    'Ihre Wallet wartet noch auf eine Antwort. Öffnen Sie sie, antworten Sie dort, und versuchen Sie es noch einmal.',
  browserWalletTrouble:
    'Ihre Wallet meldet: {problem} Sehen Sie dort nach, ob etwas gesendet wurde, bevor Sie es noch einmal versuchen.',
  browserWalletSent:
    'Gesendet. Sobald das Netzwerk die Zahlung zeigt, geht es hier weiter. Sie müssen nichts tun.',
  browserWalletRequested:
    'Ihre Wallet wurde um die Zahlung gebeten. Wenn Sie dort bestätigt haben, müssen Sie nichts tun.',
  browserWalletReverted:
    'Das Netzwerk hat die Überweisung abgelehnt. Es ist kein Geld angekommen; Sie können es noch einmal versuchen.',
  browserWalletAgain: 'Noch einmal zahlen',
  browserWalletAgainWarning:
    'Sehen Sie zuerst in Ihre Wallet. Hat sie das Geld schon gesendet, zahlen Sie {amount} ein zweites Mal.',
  browserWalletAgainButton: '{amount} noch einmal senden',
  openDemoWallet: 'Demo-Wallet öffnen',
  piPay: 'Mit Pi zahlen',
  piTransfer: 'Stattdessen per Überweisung zahlen',
  piTransferOnly: 'Per Überweisung zahlen',
  piOpening: 'Pi wird geöffnet. Wenn es um Ihre Erlaubnis bittet, erteilen Sie sie.',
  piEarlier: 'Eine frühere Zahlung von Ihnen ist nicht zu Ende gekommen. Sie wird zuerst erledigt.',
  piEarlierOpen:
    'Eine frühere Zahlung von Ihnen wird noch abgeschlossen. Versuchen Sie es in einer Minute noch einmal, oder zahlen Sie unten per Überweisung. Es wurde nichts gesendet.',
  piApproving: 'Diese Zahlung wird freigegeben. Das dauert einige Sekunden.',
  piConfirming: 'Bestätigen Sie {amount} in Ihrer Pi-Wallet.',
  piNotLoaded:
    'Pi ist nicht erreichbar. Es wurde nichts gesendet. Versuchen Sie es noch einmal, oder zahlen Sie unten per Überweisung.',
  piNoAnswer:
    'Pi hat {seconds} Sekunden lang nicht geantwortet. Es wurde nichts gesendet. Versuchen Sie es noch einmal, oder zahlen Sie unten per Überweisung.',
  piNotApproved:
    'Nach {seconds} Sekunden noch nicht freigegeben. Es wurde nichts gesendet, und es wird von selbst erneut angefragt. Um unten per Überweisung zu zahlen, brechen Sie zuerst in Pi ab.',
  piRefused:
    'Diese Zahlung kann so nicht freigegeben werden. Es wurde nichts gesendet. Laden Sie diese Seite neu, oder zahlen Sie unten per Überweisung.',
  piOtherPaid:
    'Diese Zahlung wurde schon mit Pi bezahlt. Zahlen Sie nicht noch einmal: Sie erscheint hier von selbst.',
  piOtherOpen:
    'Diese Zahlung ist in Pi ein zweites Mal offen. Beenden oder brechen Sie sie dort ab, und versuchen Sie es noch einmal. Hier wurde nichts gesendet.',
  piUnmatched:
    'Was Pi gesendet hat, passt nicht zu dieser Zahlung. Zahlen Sie nicht noch einmal: Es wird geprüft. Bewahren Sie die Transaktion unten auf, falls Sie sich an {merchant} wenden.',
  faucetTitle: 'Test-Coins holen',
  faucetLead: 'Dieses Netzwerk ist eine Demo. Seine Coins kosten nichts und sind nichts wert.',
  faucetAddress: 'Adresse Ihrer Wallet',
  faucetButton: 'Test-Coins senden',
  noticeTestCoinsSent: 'Test-Coins sind auf dem Weg zu Ihrer Wallet.',
  noticeTestCoinsFailed: 'Es kamen keine Test-Coins an. Versuchen Sie es in einer Minute noch einmal.',
  noticeNotAnAddress: 'Das ist keine Adresse einer Wallet: Sie beginnt mit 0x und hat 42 Zeichen.',

  simulateTitle: 'Simulieren',
  simulateLead: 'Wählen Sie, wie diese Testzahlung weitergeht.',
  simulateMore: 'Weitere Ausgänge',
  simulateSuccess: 'Erfolg',
  simulateFailure: 'Fehlschlag',
  simulateExpire: 'Ablaufen lassen',
  simulateUnderpaid: 'Zu wenig',
  simulateOverpaid: 'Zu viel',
  simulateSplit: 'Zwei Überweisungen',
  simulateLate: 'Zu spät',
  simulateWrongToken: 'Falscher Token',
  simulateSlow: 'Langsames Netzwerk',
  simulateReorg: 'Verworfener Block',
  simulateDispute: 'Beanstandung',
  simulateMix: 'Ausgänge kombinieren',
  simulateWhen: 'Wann',
  simulateInTime: 'Rechtzeitig',
  simulateHowMuch: 'Wie viel',
  simulateFull: 'Der volle Betrag',
  simulateDust: 'Die kleinste Einheit',
  simulateHow: 'Wie',
  simulateOneTransfer: 'Eine Überweisung',
  simulateTwoNetworks: 'Zwei Netzwerke',
  simulateTwoCurrencies: 'Zwei Währungen',
  simulatePace: 'Bestätigung',
  simulateAtOnce: 'Sofort',
  simulateAfter: 'Danach',
  simulateNothing: 'Nichts weiter',
  simulateAmount: 'Betrag in {currency}',
  simulateAmountHint: 'Wie oben gewählt',
  simulateDelay: 'Beginnt nach (Sekunden)',
  simulatePlay: 'Abspielen',
  simulateStepsAhead: 'Die Simulation läuft weiter. Noch ausstehende Schritte: {count}',

  details: 'Einzelheiten',
  receipt: 'Beleg',
  verifiedDomain: 'Geprüfte Domain',
  paidTo: 'Bezahlt an',
  items: 'Artikel',
  price: 'Preis',
  fee: 'Gebühr',
  feeNone: 'Keine für Sie',
  total: 'Summe',
  received: 'Eingegangen',
  reference: 'Referenz',
  createdAt: 'Erstellt',
  paidAt: 'Bezahlt am',
  transfers: 'Überweisungen',
  transferSeen: {
    one: '{seen} von {count} Bestätigung',
    other: '{seen} von {count} Bestätigungen',
  },
  transferConfirming: 'Wird bestätigt',
  transferFinal: 'Bestätigt',
  transferGone: 'Vom Netzwerk verworfen',

  noticeWrongPassword: 'Benutzername oder Passwort ist falsch. Es wurde nichts abgebucht.',
  noticeInsufficientFunds: 'Ihr Guthaben reicht nicht aus. Es wurde nichts abgebucht.',
  noticeNotPossible: 'Das ist nicht mehr möglich. Unten sehen Sie den aktuellen Stand.',
  noticeNotPlayable:
    'Das lässt sich nicht kombinieren, oder der Betrag passt nicht dazu. Es wurde nichts simuliert.',
  noticeClaimReceived: 'Danke. Die Transaktion wird gesucht.',
  noticeNotClaimable:
    'Diese Transaktion ließ sich der Zahlung nicht zuordnen. Prüfen Sie den Hash und versuchen Sie es erneut.',
  noticeClaimFound: 'Gefunden: Sie zählt, sobald sie bestätigt ist. Zahlen Sie nicht noch einmal.',
  noticeClaimWaiting:
    'Das Netzwerk kennt diese Transaktion, sie ist aber noch in keinem Block. Zahlen Sie nicht noch einmal: Sie erscheint hier von selbst.',
  noticeClaimProved:
    'Wir haben diese Überweisung gefunden und eine zweite vom selben Konto mit dem Memo dieser Zahlung. Nun wird von Hand geprüft, ob beide von Ihnen sind. Zahlen Sie nicht noch einmal.',
  noticeClaimUnmatched:
    'Wir haben diese Überweisung gefunden, aber sie kam ohne das Memo dieser Zahlung. Um zu zeigen, dass sie von Ihnen ist, senden Sie einen beliebigen kleinen Betrag vom selben Konto mit dem Memo auf dieser Seite, oder schreiben Sie dem Shop. Danach wird sie von Hand geprüft.',
  noticeClaimElsewhere:
    'Diese Transaktion ging an eine andere Adresse, nicht an diese Zahlung. Vergleichen Sie die Adressen in Ihrer Wallet und wenden Sie sich an den Shop oder Ihre Börse.',
  noticeClaimElsewhereMemo:
    'Diese Transaktion gehört nicht zu dieser Zahlung: Sie kam mit dem Memo einer anderen oder ging an ein anderes Konto. Vergleichen Sie das Memo in Ihrer Wallet mit dem auf dieser Seite und wenden Sie sich an den Shop oder Ihre Börse.',
  noticeClaimFailed:
    'Diese Transaktion ist im Netzwerk fehlgeschlagen: Sie hat kein Geld bewegt. Sehen Sie in Ihrer Wallet nach und zahlen Sie erneut.',
  noticeClaimUnknown:
    'Kein Netzwerk kennt diese Transaktion bisher. Prüfen Sie den Hash oder versuchen Sie es in einer Minute erneut.',
  noticeTooManyRequests: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann erneut.',
  noticeDisputeOpened: 'Ihre Beanstandung ist eingereicht.',
  noticeMessageSent: 'Ihre Nachricht ist gesendet.',
};
