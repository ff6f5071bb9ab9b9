const usual = {
  payment_type: 'deposit',
  customer_email: 'ada@example.com',
  customer_reference: 'customer-1815',
  success_url: 'https://shop.example/thanks?order=1815',
  failure_url: 'https://shop.example/basket?order=1815',
  meta_data: '{"order":1815}',
};

/** The fields that a shop usually sends. */
export const createBody = JSON.stringify({ amount: 12.5, currency: 'USDC', ...usual });

/** The same of a shop that prices in EUR: quoted at once, and left to the customer. */
export const quotedBody = JSON.stringify({
  price: { amount: '10.00', currency: 'EUR' },
  currency: 'USDC',
  ...usual,
});
export const openBody = JSON.stringify({ price: { amount: '10.00', currency: 'EUR' }, ...usual });
