import type { ServerResponse } from 'node:http';
import type { LedgerCore } from '../core/core.ts';
import type { Links } from '../views/links.ts';
import { type Feed, itemsBeyond } from './feed.ts';
import type { Spent } from './limit.ts';

export type StreamOptions = {
  core: LedgerCore;
  feed: Feed;
  /** Key after which it begins. */
  from: bigint;
  limit: number;
  /** The last ledger that is shown. */
  head: () => number;
  /** Taken when it opens, and for each ledger that closes then. */
  spend: () => Spent;
  links: Links;
  /** How long it lasts at most. */
  lastsMs: number;
  /** Ends in the middle of its first event. */
  isCut: boolean;
};

/** Sends a list's records as server-sent events, and what each ledger adds; gives back how it is cut off. */
export function openStream(response: ServerResponse, options: StreamOptions): () => void {
  const { core, feed, limit, head, spend, links } = options;
  let key = options.from;
  let sent = 0;
  const end = (): void => {
    clearTimeout(timer);
    stopListening();
    if (!response.writableEnded && !response.destroyed) response.end();
  };
  const sayFarewell = (): void => {
    response.write('retry: 10\nevent: close\ndata: "byebye"\n\n');
    end();
  };
  const flush = (): void => {
    for (const item of itemsBeyond(feed, key, { order: 'asc', limit: limit - sent, head: head() })) {
      const event = `id: ${item.cursor}\ndata: ${JSON.stringify(item.json(links))}\n\n`;
      if (options.isCut) {
        response.write(event.slice(0, event.length / 2));
        end();
        return;
      }
      response.write(event);
      key = item.key;
      sent += 1;
    }
    if (sent >= limit) sayFarewell();
  };
  const timer = setTimeout(sayFarewell, options.lastsMs).unref();
  const turn = (): void => {
    if (spend().isOver) {
      response.write('event: error\ndata: Rate limit exceeded\n\n');
      end();
    } else flush();
  };
  const stopListening = core.onClose(turn);
  response.on('close', end);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
  });
  response.write('retry: 1000\nevent: open\ndata: "hello"\n\n');
  turn();
  return () => response.destroy();
}
