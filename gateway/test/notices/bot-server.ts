import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../suite/endings.ts';

export type Said = { chat_id: number; text: string };

/** A server that speaks the part of Telegram's Bot API that the gateway uses. */
export type BotServer = {
  token: string;
  url: string;
  said: Said[];
  /** Somebody writes to the bot, in a private chat unless `type` says otherwise. */
  write(chat: number, text: string, type?: string): void;
  /** How the next messages are answered: a status and the fields of the answer; null: as they should be. */
  refuse(answer: { status: number; body: object } | null): void;
  /** The last `offset` that was asked for. */
  offset(): number;
};

type Update = { update_id: number; message: object };

export async function startBot(): Promise<BotServer> {
  const token = `1234567:${'b'.repeat(35)}`;
  const said: Said[] = [];
  const updates: Update[] = [];
  let asked = 0;
  let refusal: { status: number; body: object } | null = null;
  let waiting: (() => void) | undefined;

  function give(response: ServerResponse, { offset, limit }: { offset: number; limit: number }): void {
    asked = Math.max(asked, offset);
    const due = updates.filter(({ update_id }) => update_id >= offset).slice(0, limit);
    response.end(JSON.stringify({ ok: true, result: due }));
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}');
    const [, method] = new RegExp(`^/bot${token}/(\\w+)$`).exec(request.url ?? '') ?? [];
    response.setHeader('content-type', 'application/json');
    if (method === 'getMe') response.end(JSON.stringify({ ok: true, result: { username: 'florin_bot' } }));
    else if (method === 'sendMessage' && refusal) {
      response.writeHead(refusal.status).end(JSON.stringify({ ok: false, ...refusal.body }));
    } else if (method === 'sendMessage') {
      said.push({ ...body, chat_id: Number(body.chat_id) });
      response.end(JSON.stringify({ ok: true, result: {} }));
    } else if (method === 'getUpdates') {
      if (updates.some(({ update_id }) => update_id >= body.offset)) return give(response, body);
      waiting = () => give(response, body);
    } else response.writeHead(404).end(JSON.stringify({ ok: false, description: 'Not Found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    token,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said,
    write(chat, text, type = 'private') {
      const message = { text, chat: { id: chat, type }, from: { username: 'ada' } };
      updates.push({ update_id: 100 + updates.length, message });
      waiting?.();
      waiting = undefined;
    },
    refuse(answer) {
      refusal = answer;
    },
    offset: () => asked,
  };
}
