import type { OnboardingStep } from './queries.ts';

/** The command for a step with this key in it, or null for a step that is done on a page. */
export function commandOf(step: OnboardingStep['step'], origin: string, key: string): string | null {
  if (step === 'payment') {
    return call(key, 'PUT', `${origin}/payment/create`, {
      amount: 25.5,
      currency: 'USDC',
      payment_type: 'deposit',
    });
  }
  if (step === 'endpoint') {
    return call(key, 'POST', `${origin}/webhook-endpoints`, { url: 'https://shop.example/webhook' });
  }
  return null;
}

function call(key: string, method: string, url: string, body: object): string {
  return [
    `curl -X ${method} ${url}`,
    `-H "Authorization: Bearer ${key}" -H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
