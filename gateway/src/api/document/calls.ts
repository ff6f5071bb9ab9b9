/** What the document says of a call beside its schemas. */
export type CallText = {
  /** Its `operationId`, for the names in generated clients. */
  id: string;
  /** The call of the SDK: `{key}` is the option with the Idempotency-Key, all others are parts of the request. */
  sdk: string;
  /** Left out where the route itself has a description. */
  about?: string;
};

/** Every call of the merchant API. */
export const callTexts: Readonly<Record<string, CallText>> = {
  'PUT /payment/create': {
    id: 'createPayment',
    sdk: 'payments.create({body}, {key})',
    about:
      'Answers with the payment and `PaymentURL`, the address of its page: keep `payment_reference` with your order, and send the customer there. The fee is fixed now. Without an `Idempotency-Key`, give a `payment_reference` of your own: a second payment with it is refused.',
  },
  'GET /payment/info/{payment_reference}': {
    id: 'getPaymentInfo',
    sdk: 'payments.info({payment_reference})',
  },
  'GET /payments': {
    id: 'listPayments',
    sdk: 'payments.list({query})',
    about:
      "The payments of the key's integration and mode. Every filter narrows the list; filters can be combined.",
  },
  'GET /payments/{payment_reference}': {
    id: 'getPayment',
    sdk: 'payments.get({payment_reference})',
    about:
      'All fields of one payment: what is due and what came, each transfer, each refund, and every step with its time.',
  },
  'POST /payments/{payment_reference}/cancel': {
    id: 'cancelPayment',
    sdk: 'payments.cancel({payment_reference}, {key})',
    about:
      'Only while no money was seen for it. The customer cannot pay any more, and `payment_cancelled` is sent.',
  },
  'POST /payment-links': {
    id: 'createPaymentLink',
    sdk: 'paymentLinks.create({body}, {key})',
  },
  'GET /payment-links': {
    id: 'listPaymentLinks',
    sdk: 'paymentLinks.list({query})',
    about:
      "The links of the key's integration and mode, each with how often it was used and what that brought in.",
  },
  'GET /payment-links/{id}': {
    id: 'getPaymentLink',
    sdk: 'paymentLinks.get({id})',
    about: 'Its address, whether it takes payments, and what came of it.',
  },
  'PATCH /payment-links/{id}': {
    id: 'changePaymentLink',
    sdk: 'paymentLinks.update({id}, {body}, {key})',
    about: 'Payments that are open go on when a link is stopped.',
  },
  'POST /payments/{payment_reference}/refunds': {
    id: 'createRefund',
    sdk: 'refunds.create({payment_reference}, {body}, {key})',
  },
  'GET /payments/{payment_reference}/refunds': {
    id: 'listRefunds',
    sdk: 'refunds.list({payment_reference})',
    about: 'Every refund of the payment, and what each waits for.',
  },
  'POST /payments/{payment_reference}/refunds/{id}/cancel': {
    id: 'cancelRefund',
    sdk: 'refunds.cancel({payment_reference}, {id}, {key})',
    about: 'The money that was held for it is free again.',
  },
  'GET /test/scenarios': {
    id: 'listScenarios',
    sdk: 'test.scenarios()',
    about:
      'The outcomes that `POST /test/payments/{payment_reference}/simulate` takes, with what happens and what each combines with.',
  },
  'POST /test/payments/{payment_reference}/simulate': {
    id: 'simulatePayment',
    sdk: 'test.simulate({payment_reference}, {body.outcome}, {key})',
    about:
      'Several outcomes together are played as one. Steps that lie in the future of the test clock happen when it gets there.',
  },
  'GET /test/payments/{payment_reference}/script': {
    id: 'getScript',
    sdk: 'test.script({payment_reference}, {query.outcome})',
  },
  'POST /payouts': {
    id: 'createPayout',
    sdk: 'payouts.create({body}, {key})',
    about:
      'Amount and fee are held in the business balance at once; the recipient gets exactly `amount`. Send an `Idempotency-Key`, so that the order is given once however often the call is made.',
  },
  'GET /payouts': {
    id: 'listPayouts',
    sdk: 'payouts.list({query})',
    about: "The payouts of the key's integration and mode, with refunds and returns, which payouts carry.",
  },
  'POST /payouts/batch': {
    id: 'createPayoutBatch',
    sdk: 'payouts.createBatch({body}, {key})',
    about:
      'Each item is a body of `POST /payouts`. A fault in one refuses the batch and is named by its `index`.',
  },
  'GET /payouts/{payout}': {
    id: 'getPayout',
    sdk: 'payouts.get({payout})',
    about: 'By its id or by your reference. `failure` also says what holds a queued payout up.',
  },
  'POST /payouts/{payout}/cancel': {
    id: 'cancelPayout',
    sdk: 'payouts.cancel({payout}, {key})',
    about: 'What was held for it is free again, and `payout_cancelled` is sent.',
  },
  'GET /payout-fees': {
    id: 'listPayoutFees',
    sdk: 'payouts.fees()',
    about: 'Also says whether a payout in the asset can be ordered now, and if not, why.',
  },
  'POST /test/payouts/{payout}/simulate': {
    id: 'simulatePayout',
    sdk: 'test.payouts.simulate({payout}, {body.outcome}, {key})',
    about: 'The outcome replaces the one that the payout would have by itself.',
  },
  'POST /test/top-ups': {
    id: 'createTestTopUp',
    sdk: 'test.topUp({body}, {key})',
    about: 'Adds to the business balance of test mode, so that payouts, refunds and funding can be tried.',
  },
  'GET /top-up-addresses': {
    id: 'listTopUpAddresses',
    sdk: 'payouts.topUpAddresses.list()',
    about: 'Each address belongs to one asset. What comes there is your business balance, without a fee.',
  },
  'POST /top-up-addresses': {
    id: 'createTopUpAddress',
    sdk: 'payouts.topUpAddresses.create({body.asset}, {key})',
    about: 'The same address each time it is asked for. It can be used again and again.',
  },
  'POST /payment/fund-user': {
    id: 'fundUser',
    sdk: 'fundUser({body}, {key})',
    about: 'Moves the whole amount at once, or nothing. The user must have a wallet.',
  },
  'GET /users/{username}': {
    id: 'getUser',
    sdk: 'users.get({username})',
    about: 'Answers 404 where nobody has this name. The case of letters does not matter.',
  },
  'GET /balances': {
    id: 'listBalances',
    sdk: 'balances.list()',
    about: '`held` is the part that waits for a payout or for another system.',
  },
  'GET /balance-entries': {
    id: 'listBalanceEntries',
    sdk: 'balanceEntries.list({query})',
    about: 'Every movement of the business balance, with what caused it.',
  },
  'GET /events': {
    id: 'listEvents',
    sdk: 'events.list({query})',
    about: 'What webhooks reported to your endpoints, or would have reported.',
  },
  'GET /events/{id}': {
    id: 'getEvent',
    sdk: 'events.get({id})',
    about: 'The event with its body, and the state of its deliveries.',
  },
  'POST /events/{id}/resend': {
    id: 'resendEvent',
    sdk: 'events.resend({id}, {key})',
    about:
      'Goes to every active endpoint that subscribes to it, with the same `event_id`: a receiver that handles each event once ignores it.',
  },
  'GET /webhook-endpoints': {
    id: 'listWebhookEndpoints',
    sdk: 'webhookEndpoints.list()',
    about: "The endpoints of the key's integration and mode, at most 16.",
  },
  'POST /webhook-endpoints': { id: 'createWebhookEndpoint', sdk: 'webhookEndpoints.create({body}, {key})' },
  'GET /webhook-endpoints/{id}': {
    id: 'getWebhookEndpoint',
    sdk: 'webhookEndpoints.get({id})',
    about: 'Its address, its events, its status, and since when it fails.',
  },
  'PATCH /webhook-endpoints/{id}': {
    id: 'updateWebhookEndpoint',
    sdk: 'webhookEndpoints.update({id}, {body}, {key})',
  },
  'DELETE /webhook-endpoints/{id}': {
    id: 'deleteWebhookEndpoint',
    sdk: 'webhookEndpoints.delete({id}, {key})',
    about: 'Nothing more is sent to it. Its deliveries stay in the log.',
  },
  'POST /webhook-endpoints/{id}/roll-secret': {
    id: 'rollWebhookSecret',
    sdk: 'webhookEndpoints.rollSecret({id}, {body}, {key})',
  },
  'POST /webhook-endpoints/{id}/end-overlap': {
    id: 'endSecretOverlap',
    sdk: 'webhookEndpoints.endOverlap({id}, {key})',
  },
  'GET /webhook-endpoints/{id}/deliveries': {
    id: 'listDeliveries',
    sdk: 'webhookEndpoints.deliveries({id}, {query})',
    about: 'Each attempt has its time, the status that came back and how long it took.',
  },
  'POST /webhook-endpoints/{id}/test': {
    id: 'testWebhookEndpoint',
    sdk: 'webhookEndpoints.test({id}, {body}, {key})',
  },
  'POST /webhook-endpoints/{id}/replay': {
    id: 'startReplay',
    sdk: 'webhookEndpoints.replay({id}, {body}, {key})',
  },
  'GET /webhook-endpoints/{id}/replay': { id: 'getReplay', sdk: 'webhookEndpoints.replayProgress({id})' },
  'GET /test/webhook-endpoints/{id}/chaos': {
    id: 'getChaos',
    sdk: 'test.chaos.get({id})',
    about: 'The faults that are injected, in percent of the attempts.',
  },
  'PUT /test/webhook-endpoints/{id}/chaos': { id: 'setChaos', sdk: 'test.chaos.set({id}, {body}, {key})' },
  'POST /test/webhook-endpoints/{id}/checks': {
    id: 'startReceiverCheck',
    sdk: 'test.checks.start({id}, {key})',
  },
  'GET /test/webhook-endpoints/{id}/checks': {
    id: 'listReceiverChecks',
    sdk: 'test.checks.list({id})',
    about: 'A check is kept with its report and the deliveries that it made.',
  },
  'GET /test/webhook-endpoints/{id}/checks/{check}': {
    id: 'getReceiverCheck',
    sdk: 'test.checks.get({id}, {check})',
    about: '`rules` has each rule with whether the receiver keeps it, and what to change if not.',
  },
  'GET /test/clock': {
    id: 'getTestClock',
    sdk: 'test.clock.get()',
    about: 'Every deadline of test mode follows this clock.',
  },
  'POST /test/clock/advance': {
    id: 'advanceTestClock',
    sdk: 'test.clock.advance({body.seconds}, {key})',
    about: 'Payments expire, simulated steps happen and webhooks are repeated as if the time had passed.',
  },
  'POST /test/clock/reset': {
    id: 'resetTestClock',
    sdk: 'test.clock.reset({key})',
    about: 'What already happened stays as it is.',
  },
};
