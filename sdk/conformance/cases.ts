// The shapes of the conformance suite's data. A driver of each SDK reads one case a line, and writes one result a line.

/** A call; numbers are decimal texts at the paths `numbers`, so that no float is between. */
export type CallCase = {
  kind: 'call';
  call: string;
  args: unknown[];
  key?: string;
  numbers?: string[];
  secretKey?: string;
  baseUrl?: string;
  maxRetries?: number;
  timeoutMs?: number;
  deadlineMs?: number;
};

/** A webhook; `body` is base64, `now` in Unix seconds. An absent secret is not checked. */
export type WebhookCase = {
  kind: 'webhook';
  body: string;
  headers: Record<string, string>;
  secretKey?: string | string[] | null;
  endpointSecret?: string | string[] | null;
  toleranceSeconds?: number;
  now: number;
};

/** What was agreed on: with the host of a direct settlement, or its treasury. */
export type AgreedTerms = { merchant: string; host: string; basisPoints: number } | { treasury: string };

/** An address of a payment, as it was answered. */
export type DestinationCase = {
  kind: 'destination';
  paymentId: string;
  destination: object;
  agreed: AgreedTerms;
};

/** Bytes to hash, in base64. */
type HashCase = { kind: 'keccak'; bytes: string };

/** A payment of which words are made. */
export type WordsCase = {
  kind: 'words';
  paymentId: string;
  agreed: AgreedTerms;
  chainId: number;
  asset: string;
  amount: string;
  reference: string;
};

export type DriverCase = CallCase | WebhookCase | DestinationCase | HashCase | WordsCase;

/** What an SDK's error says; no field is left out. */
type Fault = {
  status: number;
  code: number;
  slug: string;
  message: string;
  details: object[];
  requestId: string | null;
  retryAfterSeconds: number | null;
  tries: number;
  idempotencyKey: string | null;
};

/** What became of a case: a call's data or error with the waits between its tries, or a webhook's verdict. */
export type Result = {
  data?: unknown;
  error?: Fault;
  /** Refused before anything was sent. */
  invalid?: true;
  waitsMs?: number[];
  event?: { event_id: string; event_type: string };
  refusal?: string;
  /** Of an address that was verified: as it was computed. */
  address?: string;
  digest?: string;
  words?: string;
};

/** A request as it must arrive; `key` is the idempotency key, or whether there is one of the SDK's own. */
export type WantedRequest = {
  method: string;
  path: string;
  query: [string, string][];
  key: string | boolean;
  body: unknown;
};

/** A call for each of the API's, with its one request and the answer. */
export type RequestCase = Pick<CallCase, 'call' | 'args' | 'key' | 'numbers'> & {
  request: WantedRequest;
  answer: { message: string; data: unknown };
};

/** A webhook with its verdict: `ok`, or the reason of the refusal. */
export type JudgedWebhook = Omit<WebhookCase, 'kind'> & { name: string; verdict: string };

/** An address with its verdict: `ok`, or the reason of the refusal. */
export type JudgedDestination = Omit<DestinationCase, 'kind'> & { name: string; verdict: string };

/** Bytes with their Keccak-256 in hexadecimal. */
export type HashedBytes = Omit<HashCase, 'kind'> & { digest: string };

/** A payment with its words, or the reason of the refusal. */
export type JudgedWords = Omit<WordsCase, 'kind'> & { expect: { words: string } | { refusal: string } };
