import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@florin/sdk';
import { modeOfKey, type ShopConfig } from './config.ts';
import { BodyTooLarge, page, type Reply, send } from './http.ts';
import { route, type ShopContext } from './routes.ts';
import { readStaticFiles } from './static-files.ts';
import { openStore } from './store.ts';
import { messageView } from './views/message.ts';

/** How long requests that are under way may take when the shop closes. */
const DRAIN_MS = 5_000;

/** A shop that is open. `close` lets what is under way finish, then closes the database. */
export type Shop = { url: string; close: () => Promise<void> };

/**
 * Opens the shop. `log` gets one line for each fault, never a secret.
 * @throws when the port is taken or the database file cannot be opened.
 */
export async function startShop(config: ShopConfig, log: (line: string) => void): Promise<Shop> {
  const store = openStore(config.dataPath);
  const server = createServer();
  server.listen(config.port, config.host);
  await once(server, 'listening');

  const url = `http://${config.host}:${(server.address() as AddressInfo).port}`;
  const context: ShopContext = {
    store,
    publicUrl: (config.publicUrl ?? url).replace(/\/+$/, ''),
    ...accountsOf(config),
    agreed: config.agreed ?? null,
    testMode: modeOfKey(config.secretKey) === 'test',
    florinScript: `${config.florinUrl.replace(/\/+$/, '')}/florin.js`,
    log,
  };
  const origins = {
    script: new URL(config.florinUrl).origin,
    pay: new URL(config.payUrl ?? config.florinUrl).origin,
  };
  const files = readStaticFiles();
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const file = files.get(request.url ?? '');
    send(response, file ?? (await route(context, request).catch(toReply(context))), origins);
  });
  return { url: context.publicUrl, close: () => closeShop(server, store) };
}

/** What the shop holds for each of its keys. */
function accountsOf(config: ShopConfig): Pick<ShopContext, 'clients' | 'live' | 'secrets' | 'liveSecrets'> {
  const { live, secretKey, webhookSecret, florinUrl: baseUrl } = config;
  const mode = modeOfKey(secretKey);
  const clientOf = (key: string) => createClient({ secretKey: key, baseUrl, timeoutMs: 5_000 });
  return {
    clients: { [mode]: clientOf(secretKey), ...(live ? { live: clientOf(live.secretKey) } : {}) },
    live: live ? { note: live.note, currencies: live.currencies } : null,
    secrets: { mode, secretKey, endpointSecret: webhookSecret },
    liveSecrets: live
      ? { mode: 'live', secretKey: live.secretKey, endpointSecret: live.webhookSecret }
      : null,
  };
}

function toReply(context: ShopContext): (error: unknown) => Reply {
  return (error) => {
    const words = 'Something broke on our side. Nothing was charged. Please try again.';
    if (error instanceof BodyTooLarge) {
      const reply = page(413, messageView('Too much', error.message, context.testMode));
      return { ...reply, headers: { ...reply.headers, Connection: 'close' } };
    }
    context.log(`Fault: ${error instanceof Error ? error.stack : String(error)}`);
    return page(500, messageView('Our fault', words, context.testMode));
  };
}

async function closeShop(server: Server, store: { close: () => void }): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(impatience);
  store.close();
}
