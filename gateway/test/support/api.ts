/** An answer of the gateway. `body` is undefined where the answer is not JSON. */
export type Answer<Data> = { status: number; headers: Headers; text: string; body: Envelope<Data> };

/** contract.md#answers; the last four are those of a refusal. */
export type Envelope<Data> = {
  message: string;
  data: Data;
  code?: number;
  error?: string;
  request_id?: string;
  details?: { field: string; message: string }[];
};

export type ApiRequest = {
  /** The secret key; null sends no Authorization header. */
  key?: string | null;
  /** Sent as JSON; `raw` is sent as it is. */
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
};

/** Calls the gateway as a merchant's back end would. `Data` is what the caller expects in `data`. */
export type Api = <Data = unknown>(
  method: string,
  path: string,
  request?: ApiRequest,
) => Promise<Answer<Data>>;

export type CreatedPayment = {
  PaymentData: { id: string; payment_reference: string; payment_status: string };
  PaymentURL: string;
};

/** A client that speaks plain HTTP, with this key unless a request names another. */
export function createApi(baseUrl: string, secretKey: string): Api {
  return async <Data>(method: string, path: string, request: ApiRequest = {}): Promise<Answer<Data>> => {
    const { key = secretKey, body, raw = body === undefined ? undefined : JSON.stringify(body) } = request;
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
}

/** The words of the hosted page at this address, as a person reads them. */
export async function readPage(url: string): Promise<{ status: number; words: string }> {
  const response = await fetch(url, { headers: { 'accept-language': 'en' } });
  const main = /<body.*<\/body>/s.exec(await response.text())?.[0] ?? '';
  const words = main
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
  return { status: response.status, words };
}

/** Submits one of the hosted page's forms as a browser does, with the three values that name the payment. */
export async function submitForm(
  paymentUrl: string,
  action: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { origin, pathname, searchParams } = new URL(paymentUrl);
  const form = new URLSearchParams(searchParams);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return await fetch(`${origin}${pathname}/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, ...headers },
    body: form,
  });
}
