import { createHttpSender, type ExchangeResult, type HttpSender } from '../../kit/net/safe-fetch.ts';

/** What became of a call of the Bot API; `retryAfter` in seconds, where the answer says it. */
type BotAnswer<T> =
  | { ok: true; result: T; durationMs: number }
  | { ok: false; status: number | null; error: string; retryAfter: string | undefined; durationMs: number };

/** An update of the bot: a message in a chat with it. Others are skipped. */
export type Update = {
  update_id: number;
  message?: {
    text?: string;
    chat: { id: number; type: string };
    from?: { username?: string; first_name?: string };
  };
};

/** The operator's bot (https://core.telegram.org/bots/api). No call rejects, and no error holds the token. */
export type Bot = {
  /** The name behind its `@`; null where it cannot be asked now. */
  name(): Promise<string | null>;
  /** Sends plain text, which Telegram takes for nothing else. */
  say(chat: number | bigint, text: string): Promise<BotAnswer<unknown>>;
  /** Waits for messages after those before `offset`, for half a minute at most. */
  updates(offset: number): Promise<BotAnswer<Update[]>>;
  /** Ends what waits. */
  close(): Promise<void>;
};

const waitSeconds = 25;
const longestMs = 35_000;
/** An answer is read up to 64 KiB, which a few of the longest messages exceed; then they are asked for one by one. */
const mostUpdates = 10;

export type BotSettings = { token: string; apiUrl: string };

export function createBot({ token, apiUrl }: BotSettings): Bot {
  const quick = createHttpSender();
  const patient = createHttpSender({ timeoutMs: longestMs });
  const ask = (sender: HttpSender, method: string, body: object): Promise<ExchangeResult> =>
    sender.send({
      url: new URL(`${apiUrl}/bot${token}/${method}`),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      // The operator's own setting, which may be a server beside the gateway.
      reach: 'any',
    });
  let known: string | null = null;
  return {
    async name() {
      const me = known === null ? answerOf<{ username?: string }>(await ask(quick, 'getMe', {})) : null;
      if (me?.ok) known = me.result.username ?? null;
      return known;
    },
    async say(chat, text) {
      const terms = { chat_id: `${chat}`, text, link_preview_options: { is_disabled: true } };
      return answerOf(await ask(quick, 'sendMessage', terms));
    },
    async updates(offset) {
      const terms = { offset, timeout: waitSeconds, allowed_updates: ['message'] };
      const many = answerOf<Update[]>(await ask(patient, 'getUpdates', { ...terms, limit: mostUpdates }));
      if (many.ok || many.error !== unreadable) return many;
      const one = await ask(patient, 'getUpdates', { ...terms, limit: 1 });
      return passedOver(one) ?? answerOf<Update[]>(one);
    },
    async close() {
      await Promise.all([quick.close(), patient.close()]);
    },
  };
}

const unreadable = 'The answer cannot be read';

function answerOf<T>(result: ExchangeResult): BotAnswer<T> {
  const { durationMs } = result;
  if ('error' in result) {
    return { ok: false, status: null, error: result.error, retryAfter: undefined, durationMs };
  }
  const { statusCode: status } = result;
  const parsed = parse(result.body.toString('utf8'));
  if (status === 200 && parsed?.ok === true) return { ok: true, result: parsed.result as T, durationMs };
  const error = typeof parsed?.description === 'string' ? `Telegram: ${parsed.description}` : unreadable;
  const seconds = parsed?.parameters?.retry_after;
  return {
    ok: false,
    status,
    error,
    retryAfter: seconds === undefined ? undefined : `${seconds}`,
    durationMs,
  };
}

/** The one update of an answer that is too long to be read whole: without its message, or none after it would ever come. */
function passedOver(result: ExchangeResult): BotAnswer<Update[]> | null {
  if ('error' in result || result.statusCode !== 200) return null;
  const text = result.body.toString('utf8');
  const [, id] = /"update_id":\s*(\d{1,15})/.exec(text) ?? [];
  if (id === undefined || parse(text)) return null;
  return { ok: true, result: [{ update_id: Number.parseInt(id, 10) }], durationMs: result.durationMs };
}

type Parsed = {
  ok?: boolean;
  result?: unknown;
  description?: unknown;
  parameters?: { retry_after?: number };
};

function parse(text: string): Parsed | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
