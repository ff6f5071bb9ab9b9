import type { OnboardingStep } from './queries.ts';

/** The command that takes a step, or null where a page does. The key is the one that was copied before. */
export function commandOf(step: OnboardingStep['step'], origin: string): string | null {
  if (step === 'payment') {
    return call('PUT', `${origin}/payment/create`, {
      amount: 25.5,
      currency: 'USDC',
      payment_type: 'deposit',
    });
  }
  if (step === 'endpoint') {
    return call('POST', `${origin}/webhook-endpoints`, { url: 'https://shop.example/webhook' });
  }
  return null;
}

function call(method: string, url: string, body: object): string {
  return [
    `curl -X ${method} ${url}`,
    '-H "Authorization: Bearer $FLORIN_SECRET_KEY" -H \'Content-Type: application/json\'',
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
