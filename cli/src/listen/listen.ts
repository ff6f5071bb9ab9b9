import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type EventType } from '@florin/sdk';
import { explain, isFlorinError } from '../explain.ts';
import type { Context } from '../merchant/context.ts';
import { note, print } from '../output/print.ts';
import { localTime } from '../output/text.ts';
import { endOfListening } from './ending.ts';
import { createFeed, type Feed, type ListEvents } from './feed.ts';
import { createForward, type Forward } from './forward.ts';
import { jsonLine, textLine } from './line.ts';
import { readTarget } from './send.ts';
import { listenSecret } from './sign.ts';
import { type ListenState, openState, stateFile } from './state.ts';

export type ListenOptions = {
  forwardTo?: string;
  events?: EventType[];
  /** ISO 8601: listen to events since then, whether they were shown before or not. */
  since?: string;
  state?: string;
};

const pollMs = 700;
const longestWaitMs = 10_000;

/**
 * Shows every event, and forwards it if there is a target, until SIGINT or SIGTERM. When it is started again, it
 * continues where it ended. Returns the exit code.
 */
export async function listen(context: Context, options: ListenOptions): Promise<number> {
  const target = options.forwardTo === undefined ? null : readTarget(options.forwardTo);
  const state = openState(options.state ?? stateFile(context, target?.href ?? null, process.env));
  const ending = endOfListening(process.env);
  try {
    const from = beginning(state, options.since);
    if (options.since !== undefined) state.begin(options.since, []);
    const feed = createFeed({ list: listerOf(context, ending), state, uptimeMs: () => performance.now() });
    const forward = target && createForward(target, context.secretKey, ending);
    const isWanted = (type: string) => options.events?.includes(type as EventType) ?? true;
    const reached = () => announce(context, target, from);
    await follow(feed, ending, reached, async (event) => {
      if (!isWanted(event.event_type)) return true;
      return await showEvent(event, forward, context.json);
    });
  } finally {
    state.close();
  }
  return 0;
}

type ShownEvent = Awaited<ReturnType<Feed['fresh']>>[number];

/**
 * Reads, shows and records events until it is ended. `reached` is called at the first read that succeeds; `show`
 * returns false when it was aborted.
 */
async function follow(
  feed: Feed,
  ending: AbortSignal,
  reached: () => void,
  show: (event: ShownEvent) => Promise<boolean>,
): Promise<void> {
  let isFirst = true;
  let faults = 0;
  while (!ending.aborted) {
    let events: ShownEvent[] = [];
    try {
      events = await feed.fresh();
      if (isFirst) reached();
      else if (faults > 0) note('Reached the gateway again.');
      isFirst = false;
      faults = 0;
    } catch (error) {
      if (ending.aborted) return;
      if (!canPass(error)) throw error;
      if (faults === 0) note(`${explain(error).trimEnd()}\nTrying again until it answers ...`);
      faults += 1;
    }
    for (const event of events) {
      if (ending.aborted || !(await show(event))) return;
      feed.shown(event);
    }
    const wait = faults === 0 ? pollMs : Math.min(longestWaitMs, 250 * 2 ** faults);
    await sleep(wait, undefined, { signal: ending }).catch(() => {});
  }
}

/** Whether to try again: the gateway cannot be reached, restarts or limits the rate. A wrong key is another error. */
function canPass(error: unknown): boolean {
  return isFlorinError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
}

async function showEvent(event: ShownEvent, forward: Forward | null, json: boolean): Promise<boolean> {
  const forwarded = forward ? await forward(event) : null;
  if (forward && forwarded === null) return false;
  await print(json ? jsonLine(event, forwarded) : textLine(event, forwarded));
  return true;
}

/** Lists events by a client whose calls are aborted when listening ends, and which does not retry by itself. */
function listerOf({ url, secretKey }: Context, signal: AbortSignal): ListEvents {
  const { events } = createClient({ baseUrl: url, secretKey, maxRetries: 0, timeoutMs: longestWaitMs });
  return (page) => events.list(page, { signal });
}

function beginning(state: ListenState, since: string | undefined): string {
  if (since !== undefined) return `since ${localTime(since)}`;
  return state.since() === null ? 'from now on' : 'from where it ended last';
}

function announce({ url, mode, secretKey }: Context, target: URL | null, from: string): void {
  note(`Listening to the ${mode} events of ${url}, ${from}.`);
  if (target) {
    note(`Forwarding to ${target.href}. Your server verifies X-Signature with the secret key that listens,
and webhook-signature with ${listenSecret(secretKey)}`);
  }
  note('Ctrl-C ends it. When you start it again, it continues where it ended.');
}
