/** What the headers that every webhook has can be computed from. */
export type HeaderFacts = { eventId: string; sequence: number; at: Date };

/** Only deliveries of the BTCPay door have it; all of their headers are kept. */
export const greenfieldHeader = 'BTCPay-Sig';

/** Florin's own headers, in the order in which they are sent. */
const names = [
  'Content-Type',
  'User-Agent',
  'X-Signature',
  'X-Event-Id',
  'X-Sequence',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

/** The value of a header of every webhook (contract.md#webhooks); undefined where it cannot be computed. */
function plainValue(name: string, { eventId, sequence, at }: HeaderFacts): string | undefined {
  switch (name) {
    case 'Content-Type':
      return 'application/json';
    case 'User-Agent':
      return 'Florin-Webhooks/1';
    case 'X-Event-Id':
    case 'webhook-id':
      return eventId;
    case 'X-Sequence':
      return `${sequence}`;
    case 'webhook-timestamp':
      return `${Math.floor(at.getTime() / 1000)}`;
    default:
      return undefined;
  }
}

/** The headers of every webhook but for the signatures. */
export function plainHeaders(facts: HeaderFacts): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = plainValue(name, facts);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/**
 * The lines `Name: value` of an attempt's headers that are stored: those that cannot be computed again. The others
 * would be most of the bytes of an attempt.
 */
export function keptLines(headers: Readonly<Record<string, string>>, facts: HeaderFacts): string {
  let lines = '';
  for (const name in headers) {
    if (headers[name] !== plainValue(name, facts)) lines += `${name}: ${headers[name]}\n`;
  }
  return lines;
}

/** The lines of a delivery of another format, all of which are kept. */
export const allLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** All lines as they stood in the message: the merchant's own headers first, then Florin's. */
export function shownLines(kept: string, facts: HeaderFacts): string {
  if (kept.includes(`${greenfieldHeader}: `)) return kept;
  const plain = plainHeaders(facts);
  const lines = kept.split('\n').filter((line) => line !== '');
  const nameOf = (line: string): string => line.slice(0, line.indexOf(':'));
  const own = lines.filter((line) => !names.includes(nameOf(line)));
  const florins = names.flatMap((name) => {
    const line = lines.find((each) => nameOf(each) === name);
    if (line !== undefined) return [line];
    return name in plain ? [`${name}: ${plain[name]}`] : [];
  });
  return [...own, ...florins].map((line) => `${line}\n`).join('');
}
