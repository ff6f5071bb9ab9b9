import type { OnboardingStep } from './queries.ts';

/** The command for a step, or null for a step that is done on a page. It takes the key from the environment. */
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
