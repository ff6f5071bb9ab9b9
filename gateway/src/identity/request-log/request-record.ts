import { isCleanText } from '../../kit/http/fields.ts';
import { newId } from '../../kit/ids.ts';
import type { KeyOwner } from '../keys/keys.ts';
import { redact } from './redact.ts';

/** A merchant's request and its answer, as the server saw them. */
export type Exchange = {
  owner: KeyOwner;
  keyId: string;
  at: Date;
  method: string;
  /** As the route is registered, such as `/payments/:payment_reference`. */
  route: string;
  /** As it was called, with its query. */
  path: string;
  status: number;
  durationMs: number;
  address: string;
  requestId: string;
  /** The reference in the path, if there is one. */
  reference: string | undefined;
  requestBody: KeptBody;
  responseBody: KeptBody;
};

/** A body or its beginning, and whether there was more. Text is cut later, when it is written. */
export type KeptBody = string | Buffer | null;

const bodyBytes = 8 * 1024;
const pathLength = 2_048;

/** The part of a body that stays in memory until it is written: the beginning of a long one, copied. */
export function keepBody(body: string | Buffer | null | undefined): KeptBody {
  if (body === null || body === undefined || body.length === 0) return null;
  if (body.length <= bodyBytes) return body;
  // One byte more than is shown: it means that there was more.
  return typeof body === 'string'
    ? Buffer.from(body.slice(0, bodyBytes + 1)).subarray(0, bodyBytes + 1)
    : Buffer.from(body.subarray(0, bodyBytes + 1));
}

/** The row of `api_requests`: without secrets, and as text that the database takes; and the bodies, cut, beside it. */
export function recordOf(exchange: Exchange) {
  const { owner, requestBody, responseBody, status, route } = exchange;
  const request = cut(requestBody);
  const response = cut(responseBody);
  const reference = referenceOf(exchange, request.text, response.text);
  const path = pathOf(exchange.path);
  const row = {
    integration_id: owner.integrationId,
    mode: owner.mode,
    id: newId(exchange.at),
    key_id: exchange.keyId,
    method: exchange.method,
    route,
    path: path === pathFrom(route, reference) ? null : path,
    status,
    duration_ms: exchange.durationMs,
    address: exchange.address,
    request_id: exchange.requestId,
    error: status < 400 ? null : (/"error":"(\w+)"/.exec(response.text ?? '')?.[1] ?? null),
    payment_reference: reference,
  };
  const bodies = {
    at: exchange.at,
    request_body: request.text && redact(request.text),
    request_cut: request.cut,
    response_body: response.text && redact(response.text),
    response_cut: response.cut,
  };
  return { row, bodies };
}

/** The path of most calls, which is not stored: `derivedPath` is the same in SQL. */
function pathFrom(route: string, reference: string | null): string {
  return route.replaceAll(':payment_reference', () => reference ?? '');
}

export const derivedPath = "replace(route, ':payment_reference', coalesce(payment_reference, ''))";

function cut(body: KeptBody): { text: string | null; cut: boolean } {
  if (body === null) return { text: null, cut: false };
  // A UTF-16 unit takes at most three bytes.
  if (typeof body === 'string' && body.length * 3 <= bodyBytes) return { text: storable(body), cut: false };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= bodyBytes) return { text: storable(bytes.toString('utf8')), cut: false };
  // `stream` leaves out half a character at the end.
  const text = new TextDecoder().decode(bytes.subarray(0, bodyBytes), { stream: true });
  return { text: storable(text), cut: true };
}

function storable(text: string): string {
  return isCleanText(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Some clients put a key into the address. */
function pathOf(path: string): string {
  const whole = path.slice(0, pathLength);
  const decoded = /%[0-9a-f]{2}/i.test(whole) ? safeDecode(whole) : whole;
  const clean = redact(decoded);
  return storable(clean === decoded ? whole : clean);
}

function safeDecode(path: string): string {
  return path.replace(/(?:%[0-7][0-9a-f])/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}

const asked = /"payment_reference"\s*:\s*"([^"\\]{1,100})"/;

function referenceOf({ reference, route }: Exchange, request: string | null, response: string | null) {
  if (reference !== undefined) return storable(reference.slice(0, 100));
  if (route !== '/payment/create') return null;
  // The answer has the reference of the payment that was made; after a refusal only the request has one.
  return asked.exec(response?.slice(0, 1_000) ?? '')?.[1] ?? asked.exec(request ?? '')?.[1] ?? null;
}
