import { invalid } from '../../kit/http/fields.ts';
import { type Seal, sealedColumn } from '../../kit/seal.ts';

/** A header that the merchant adds to every webhook of an endpoint, such as a token for a firewall. */
export type CustomHeader = { name: string; value: string };

/** A header as it is set: without a value it keeps the one that it has. */
export type HeaderInput = { name: string; value?: string | undefined };

export const maxHeaders = 10;

/** As JSON; null without any. */
export const sealedHeaders = sealedColumn('webhook_endpoints', 'headers');

// Headers that Florin sets, that describe the body, or that belong to the connection.
const reserved =
  /^(?:host|content-.*|webhook-.*|x-signature|x-event-id|x-sequence|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/;

/**
 * The headers that an endpoint has after a change. Throws when a name is reserved or given twice, or when a value is
 * missing that was never set. The schema has checked the characters.
 */
export function mergeHeaders(given: readonly HeaderInput[], known: readonly CustomHeader[]): CustomHeader[] {
  const names = new Set<string>();
  return given.map(({ name, value }, index) => {
    const lower = name.toLowerCase();
    if (reserved.test(lower)) throw invalid(`headers.${index}.name`, `${name} is set by Florin itself`);
    if (names.has(lower)) throw invalid(`headers.${index}.name`, `${name} stands twice`);
    names.add(lower);
    const kept = value ?? known.find((header) => header.name.toLowerCase() === lower)?.value;
    if (kept === undefined) throw invalid(`headers.${index}.value`, 'is required');
    return { name, value: kept };
  });
}

/**
 * The headers that an endpoint keeps when its address changes: all if scheme, host and port stay, else none. Their
 * values are secrets of the former host, which nobody who changes the address may be able to read.
 */
export function headersAt<Kept>(from: string, to: string, headers: Kept, none: Kept): Kept {
  return URL.parse(from)?.origin === URL.parse(to)?.origin ? headers : none;
}

/** The given headers without a value whose former value the endpoint does not keep. */
export function lostValues(
  given: readonly HeaderInput[],
  before: readonly CustomHeader[],
  known: readonly CustomHeader[],
): HeaderInput[] {
  const has = (headers: readonly CustomHeader[], name: string) =>
    headers.some((header) => header.name.toLowerCase() === name.toLowerCase());
  return given.filter(({ name, value }) => value === undefined && has(before, name) && !has(known, name));
}

/** For the row of an endpoint; null without any. */
export function sealHeaders(seal: Seal, endpoint: string, headers: readonly CustomHeader[]): Buffer | null {
  return headers.length === 0 ? null : seal.seal(JSON.stringify(headers), sealedHeaders.at(endpoint));
}

export function openHeaders(seal: Seal, endpoint: string, sealed: Buffer | null): CustomHeader[] {
  return sealed === null ? [] : (JSON.parse(seal.open(sealed, sealedHeaders.at(endpoint))) as CustomHeader[]);
}
