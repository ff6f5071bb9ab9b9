/** The call that creates a payment, as one command for a shell with this key in it. */
export function paymentCommand(origin: string, key: string): string {
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  return [
    `curl -X PUT ${origin}/payment/create`,
    `-H "Authorization: Bearer ${key}" -H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
