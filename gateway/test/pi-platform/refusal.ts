/** What the platform answers when it does not do what it was asked to. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: string; error_message: string };

  constructor(status: number, error: string, message: string, more: object = {}) {
    super(`${error}: ${message}`);
    this.status = status;
    this.body = { error, error_message: message, ...more };
  }
}

export function notFound(): Refusal {
  return new Refusal(404, 'payment_not_found', 'There is no payment with this identifier.');
}
