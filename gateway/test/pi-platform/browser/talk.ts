export type Payment = {
  identifier: string;
  amount: number;
  memo: string;
  metadata: object;
  status: {
    developer_approved: boolean;
    developer_completed: boolean;
    cancelled: boolean;
    user_cancelled: boolean;
  };
  transaction: null | { txid: string };
};

export type Session = {
  accessToken: string;
  user: { uid: string; username: string };
  app: { name: string };
  incomplete: Payment | null;
};

/** What the platform did not do, with the payment that it is about. */
export class PlatformProblem extends Error {
  readonly slug: string;
  readonly payment: Payment | undefined;

  constructor(slug: string, message: string, payment?: Payment) {
    super(message);
    this.slug = slug;
    this.payment = payment;
  }
}

/** Asks the platform that served this script. */
export async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(new URL(`/pi-app/${path}`, home), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new PlatformProblem(answer.error, answer.error_message, answer.payment);
  return answer as Answer;
}

/** Where this script came from, with what its address asks for. */
export const home = new URL((document.currentScript as HTMLScriptElement).src);
