/** What a webhook's own headers follow from. */
export type HeaderFacts = { eventId: string; sequence: number; at: Date };

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

/** The headers of every webhook (contract.md 4) but for the signatures. */
export function plainHeaders({ eventId, sequence, at }: HeaderFacts): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Florin-Webhooks/1',
    'X-Event-Id': eventId,
    'X-Sequence': `${sequence}`,
    'webhook-id': eventId,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
  };
}

/**
 * The lines `Name: value` of an attempt's headers that are kept with it: those that do not follow from the
 * delivery, which are most of the bytes that an attempt has.
 */
export function keptLines(headers: Readonly<Record<string, string>>, facts: HeaderFacts): string {
  const plain = plainHeaders(facts);
  let lines = '';
  for (const name in headers) {
    if (headers[name] !== plain[name]) lines += `${name}: ${headers[name]}\n`;
  }
  return lines;
}

/** All lines as they stood in the message: the merchant's own headers first, then Florin's. */
export function shownLines(kept: string, facts: HeaderFacts): string {
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
