import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformContext } from './context.ts';
import { createFaults, type PlatformFaults } from './faults.ts';
import { answerJson, sendJson } from './http.ts';
import type { PaymentDto } from './payment.ts';
import { sdkScript } from './sdk-script.ts';
import { type ListShape, serverRoutes } from './server-routes.ts';
import { openStore } from './store.ts';
import { userRoutes } from './user-routes.ts';
import { createUserSide, type UserSide } from './user-side.ts';
import { createUsers, type Users } from './users.ts';

export type PlatformOptions = {
  /** Address of the Horizon that transactions are looked up on and submitted to, without a slash at its end. */
  horizonUrl: string;
  passphrase: string;
  app: PlatformContext['app'];
  /** Where payments are kept over a restart; null, the default: in memory alone. */
  file?: string | null;
  /** Pages that may use the SDK; null, the default: any. */
  pageOrigins?: readonly string[] | null;
  now?: () => Date;
};

/** Pi's Platform API, and the Pi app of its users. */
export type Platform = {
  users: Users;
  /** What the Pi app does for a user. */
  userSide: UserSide;
  faults: PlatformFaults;
  /** Every payment there is, in the order in which they were made. */
  payments(): PaymentDto[];
  payment(identifier: string): PaymentDto | undefined;
  /** How `incomplete_server_payments` answers: documents and clients of the real one differ. */
  showListAs(shape: ListShape): void;
  /** Answers a request that is the platform's; false where it is not. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  close(): void;
};

export type PlatformServer = Platform & {
  url: string;
  /** Base address of the Platform API, as a gateway is configured with it. */
  apiUrl: string;
  sdkUrl: string;
  stop(): Promise<void>;
};

const sdkPath = '/pi-sdk.js';

/** The platform without a server of its own, to be served beside others. */
export function createPlatform(options: PlatformOptions): Platform {
  const { file = null, pageOrigins = null, now = () => new Date() } = options;
  const users = createUsers();
  const faults = createFaults();
  const store = openStore(file);
  const context: PlatformContext = { ...options, store, users, now };
  const userSide = createUserSide(context);
  let listShape: ListShape = 'wrapped';
  const routes = [...serverRoutes(context, () => listShape), ...userRoutes(context, userSide)];
  const allow = (request: IncomingMessage, response: ServerResponse): void => {
    const { origin } = request.headers;
    if (origin === undefined || !(pageOrigins?.includes(origin) ?? true)) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('vary', 'origin');
  };
  return {
    users,
    userSide,
    faults,
    payments: () => store.all(),
    payment: (identifier) => store.get(identifier),
    showListAs(shape) {
      listShape = shape;
    },
    async handle(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === sdkPath) {
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(await sdkScript());
        return true;
      }
      // A server key is for servers: pages are let in to the user's side alone.
      if (pathname.startsWith('/pi-app/')) allow(request, response);
      if (pathname.startsWith('/pi-app/') && request.method === 'OPTIONS') {
        response.writeHead(204).end();
        return true;
      }
      return await answerJson(routes, faults, request, response);
    },
    close: () => store.close(),
  };
}

/** Serves the platform on a port of this machine, a free one by default. */
export async function startPiPlatform(options: PlatformOptions & { port?: number }): Promise<PlatformServer> {
  const platform = createPlatform(options);
  const server = createServer((request, response) => {
    void platform.handle(request, response).then((known) => {
      if (!known) sendJson(response, 404, { error: 'not_found', error_message: 'There is no such path.' });
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...platform,
    url,
    apiUrl: `${url}/v2`,
    sdkUrl: `${url}${sdkPath}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      platform.close();
    },
  };
}
