/** The groups of calls, in the order of the reference. */
export const tags: readonly { name: string; description: string }[] = [
  { name: 'Payments', description: 'Create a payment, look it up, and cancel it.' },
  { name: 'Payment links', description: 'Addresses at which customers make payments by themselves.' },
  { name: 'Refunds', description: 'Send the money of a payment back, in whole or in part.' },
  { name: 'Payouts', description: 'Send money out of the business balance, and add to the balance.' },
  { name: 'Wallets', description: 'The wallets of your users, which you credit from the business balance.' },
  { name: 'Balances', description: 'The business balance in every asset, and its ledger lines.' },
  { name: 'Keys', description: 'What the key of a call may do.' },
  { name: 'Rates', description: 'What currencies are worth, for payments with a price.' },
  { name: 'Events', description: 'What happened, as webhooks report it. Each event can be sent again.' },
  {
    name: 'Webhook endpoints',
    description: 'The addresses that webhooks go to, their secrets, their deliveries and replays.',
  },
  {
    name: 'Test mode',
    description:
      'Calls that need a test key: outcomes to play, the test clock, injected faults, checks of a receiver.',
  },
  { name: 'Webhooks', description: 'What Florin sends to your webhook endpoints.' },
];
