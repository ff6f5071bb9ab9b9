import { type Bytes, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';

/** A body as it came over the wire. */
export type RawBody = string | Uint8Array | ArrayBuffer;

const howToGetIt =
  'pass the raw bytes or text: express.raw({ type: "application/json" }) in Express, request.text() where there is a Request';

/**
 * The bytes that were signed.
 * @throws WebhookVerificationError for whatever is not raw, naming what it is and how to get the raw one.
 */
export function readBody(body: unknown): Bytes {
  const bytes = toBytes(body);
  if (bytes && bytes.length > 0) return bytes;
  if (bytes || body === undefined || body === null) {
    return refuse('body_missing', `The body is empty or was read already by something else: ${howToGetIt}`);
  }
  const { then, text, pipe, getReader } = body as Record<string, unknown>;
  if (then) return refuse('body_missing', 'The body is a promise: await it');
  if (text || pipe || getReader) return refuse('body_missing', `The body was not read yet: ${howToGetIt}`);
  return refuse(
    'body_parsed',
    `The body was parsed before verification, so that its bytes are lost: ${howToGetIt}`,
  );
}

function toBytes(body: unknown): Bytes | undefined {
  if (typeof body === 'string') return utf8(body);
  // Not instanceof: a Buffer of another realm (a test runner's, say) is raw bytes too.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  return undefined;
}

function refuse(reason: 'body_missing' | 'body_parsed', message: string): never {
  throw new WebhookVerificationError(reason, message);
}
