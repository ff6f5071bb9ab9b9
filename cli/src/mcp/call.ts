import { now } from '../clock.ts';
import { type Arguments, moneyKey, plainAmounts, writeKey } from './ask.ts';
import { type Answer, type Gateway, type OwnKey, readKey, whyUnknown } from './gateway.ts';
import type { ToolCall } from './tools.ts';

/** What a tool answers: texts for the agent, and whether it was refused. */
export type ToolAnswer = { texts: string[]; isError: boolean };

type Session = { gateway: Gateway; key: OwnKey };

/** Makes the call of a tool with what an agent gave. Throws where the gateway does not answer. */
export async function callTool(session: Session, call: ToolCall, given: Arguments): Promise<ToolAnswer> {
  const { tool, method, parts, isWrite, movesMoney } = call;
  const fault = faultOf(call, given);
  if (fault !== null) return { texts: [fault], isError: true };
  const { purpose, dry_run: wanted, ...rest } = given;
  const isDry = movesMoney && wanted !== false;
  const args = movesMoney ? plainAmounts(rest) : rest;
  const asked = { keyId: session.key.id, name: tool.name, purpose, arguments: args };
  const idempotencyKey = !isWrite || isDry ? undefined : (movesMoney ? moneyKey : writeKey)(asked);
  const taken = only(args, parts.body);
  const ordered = movesMoney && !isDry ? referenced(taken, parts, idempotencyKey ?? '') : taken;
  const hasBody = Object.keys(parts.body).length > 0;
  const answer = await session.gateway({
    method,
    path: addressOf(call, args),
    body: hasBody ? { ...ordered, ...(isDry && { dry_run: true }) } : undefined,
    idempotencyKey,
  });
  if (answer.status !== 200) return { texts: [refusal(session.key, answer)], isError: true };
  const notes = [
    ...(answer.isReplayed ? [replayed] : movesMoney ? [becomesText(answer, isDry)] : []),
    ...(movesMoney ? [await limitsNow(session)] : []),
  ];
  const note = notes.length > 0 ? [notes.join(' ')] : [];
  return { texts: [...note, withoutSecrets(JSON.stringify(answer.envelope, null, 1))], isError: false };
}

/** What is wrong with the names of arguments, and with those that become part of an address; the gateway judges all others. */
function faultOf({ tool: { inputSchema }, parts }: ToolCall, given: Arguments): string | null {
  const { properties = {}, required = [] } = inputSchema;
  const unknown = Object.keys(given).find((name) => !(name in properties));
  if (unknown !== undefined) return `There is no argument ${unknown}.`;
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is missing.`;
  const name = Object.keys(parts.path).find((each) => /^\.{0,2}$/.test(String(given[each])));
  if (name !== undefined) return `The argument ${name} names nothing.`;
  const { dry_run: dryRun } = given;
  const isFlag = dryRun === undefined || typeof dryRun === 'boolean';
  return isFlag ? null : 'dry_run is true or false.';
}

const only = (given: Arguments, of: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in of));

/**
 * Payouts get a reference of their own where none was given: the gateway takes each only once, also when the Idempotency-Key
 * is forgotten.
 */
function referenced(body: Arguments, { body: schemas }: ToolCall['parts'], key: string): Arguments {
  if ('payout_reference' in schemas) return { ...body, payout_reference: body.payout_reference || key };
  if (!Array.isArray(body.payouts)) return body;
  const payouts = body.payouts.map((each: Arguments, index) => ({
    ...each,
    payout_reference: each.payout_reference || `${key}-${index}`,
  }));
  return { ...body, payouts };
}

function addressOf({ path, parts }: ToolCall, args: Arguments): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
  const query = Object.entries(only(args, parts.query)).map(([name, value]) => [name, String(value)]);
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled;
}

const advice: Record<string, string> = {
  idempotency_mismatch:
    'The same was asked before with other words beside it, and was done once. Look it up. Only if a second one is meant, ask with a `purpose`.',
  payout_reference_exists:
    'This payout was asked for before. Look it up. Only if a second one is meant, ask with a `purpose`.',
  payout_limit: 'Nothing was done. A person can make it in the dashboard, or give the key another limit.',
  action_not_allowed: 'Nothing was done. The person who made the key can make one that may.',
};

function refusal(
  { valid_until: until }: OwnKey,
  { status, envelope: { message = '', error = '' } }: Answer,
): string {
  if (status === 401) {
    const why = until !== null && new Date(until) <= now() ? `it ended at ${until}` : whyUnknown;
    return `The gateway no longer takes this key: ${why}. Ask the person who made it.`;
  }
  const next = advice[error] ?? (status >= 500 ? 'It may have been done: ask the same again.' : '');
  return withoutSecrets(`Refused: ${message} (${error}). ${next}`.trim());
}

const becomes: Record<string, readonly [would: string, does: string]> = {
  awaiting_approval: [
    'It would wait until a person approves it in the dashboard.',
    'It waits until a person approves it in the dashboard. Do not ask again; look up what becomes of it.',
  ],
  awaiting_destination: [
    'The customer would be asked where it goes.',
    'The customer is asked, at claim_url, where it goes.',
  ],
  queued: ['It would be sent without an approval.', 'It is being sent.'],
  completed: ['It would be done at once.', 'It is done.'],
};

const replayed =
  'This was asked before, and was done once. This is the first answer again; look up how it stands now.';

/** What would become of the order, or becomes of it. */
function becomesText({ envelope }: Answer, isDry: boolean): string {
  const data = envelope.data as { items?: Ordered[] } & Ordered;
  const statuses = new Set((data.items ?? [data]).map(({ status }) => status));
  const said = [...statuses].flatMap((status) => becomes[status]?.[isDry ? 0 : 1] ?? []);
  const first = isDry ? ['Dry run: nothing was done. Ask again with dry_run false to do it.'] : [];
  return [...first, ...said].join(' ');
}

/** What is left of the key's limits. What was done is done, whatever becomes of the key meanwhile. */
function limitsNow({ gateway }: Session): Promise<string> {
  return readKey(gateway).then(limitsText, () => 'The limits of the key cannot be read now.');
}

type Ordered = { status: string };

function limitsText({ daily_limits: limits, asks_above }: OwnKey): string {
  if (limits === null) return 'This key has no daily limit.';
  const left = limits.map(({ asset, limit, left }) => `${left} of ${limit} ${asset}`).join(', ');
  const above = asks_above ? 'More waits for the approval of a person.' : 'More is refused.';
  return `Left of the daily limits of this key: ${left}. ${above}`;
}

/** Without secrets of keys and webhooks, which an agent never needs. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/\b(sk_(?:test|live)_|whsec_)[\w+/=-]+/g, '$1(not shown to agents)');
}
