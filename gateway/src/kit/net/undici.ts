import { createRequire } from 'node:module';
import type * as undici from 'undici';

// Only the parts of undici that send requests: all of it, with fetch, caches and mocks, takes 5 MB more memory.
const load = createRequire(import.meta.url);

export type Agent = undici.Agent;
export const Agent = load('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export const connectorOf = load('undici/lib/core/connect.js') as typeof undici.buildConnector;

type Request = (this: undici.Dispatcher, options: undici.Dispatcher.RequestOptions) => Answer;
type Answer = Promise<undici.Dispatcher.ResponseData>;
const send = load('undici/lib/api/api-request.js') as Request;
const { getGlobalDispatcher } = load('undici/lib/global.js') as Pick<typeof undici, 'getGlobalDispatcher'>;

type Options = { dispatcher?: Agent } & Partial<Omit<undici.Dispatcher.RequestOptions, 'origin' | 'path'>>;

/** Sends one request, a GET by default. Redirects are not followed. */
export async function request(address: string, options: Options): Answer {
  const { dispatcher = getGlobalDispatcher(), method = 'GET', ...rest } = options;
  const { origin, pathname, search } = new URL(address);
  return await send.call(dispatcher, { ...rest, method, origin, path: `${pathname}${search}` });
}
