import { systemClock } from '../../../kit/clock.ts';
import { type Agent, request } from '../../../kit/net/undici.ts';
import { createSecretHider, targetOf } from '../../endpoint-address.ts';
import { describeExchange, isBroken, retryAfterMs } from '../../endpoint-fault.ts';
import { kindOfFailure, RpcFault } from './rpc-fault.ts';

export type PostOptions = {
  /** Its host and its place in the configuration, which may be shown. */
  name: string;
  /** It may hold a key, and never leaves this module. */
  url: string;
  /** For a whole request that reads many blocks; others have a few seconds. */
  timeoutMs: number;
  /** Keeps the connections, and may be shared. See agentOptions. */
  agent: Agent;
};

/** An HTTP answer. `value`: its body as JSON, undefined where it is not JSON. */
export type PostAnswer = { status: number; retryAfter: number | undefined; value: unknown; isJson: boolean };

/** Posts to one endpoint of a chain. */
export type Post = {
  /** `blocks`: how many blocks the request reads the logs of. Throws RpcFault. */
  send(body: unknown, blocks: number): Promise<PostAnswer>;
  /** A fault of the endpoint with its name, and with parts of its address hidden. `retryAfter`: milliseconds. */
  fault(kind: RpcFault['kind'], why: string, retryAfter?: number): RpcFault;
};

/** Most calls are answered quickly or never: a longer wait would delay asking the next endpoint. */
const quickMs = 4_000;
const quickBlocks = 10;
const maxAnswerBytes = 32 * 1024 * 1024;
/** Options of an agent for endpoints. Longer answers than these fail. */
export const agentOptions = { connections: 16, keepAliveTimeout: 30_000, maxResponseSize: maxAnswerBytes };

export function createPost({ name, url, timeoutMs, agent }: PostOptions): Post {
  const target = targetOf(url);
  const hide = createSecretHider(url);

  const fault: Post['fault'] = (kind, why, retryAfter) =>
    new RpcFault(kind, `${name}: ${hide(why)}`, retryAfter);

  async function send(body: unknown, blocks: number): Promise<PostAnswer> {
    const limitMs = blocks > quickBlocks ? timeoutMs : Math.min(timeoutMs, quickMs);
    const options = {
      method: 'POST' as const,
      headers: { 'content-type': 'application/json', ...target.headers },
      body: JSON.stringify(body),
      dispatcher: agent,
      signal: AbortSignal.timeout(limitMs),
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    const exchange = async (): Promise<PostAnswer> => {
      const response = await request(target.address, options);
      const text = await response.body.text();
      const retryAfter = retryAfterMs(response.headers['retry-after'], systemClock());
      return { status: response.statusCode, retryAfter, ...parsed(text) };
    };
    try {
      // A kept connection may have been closed at the other end, which is not the endpoint's fault.
      return await exchange().catch((error) => (isBroken(error) ? exchange() : Promise.reject(error)));
    } catch (error) {
      throw fault(kindOfFailure(error as Error, blocks), describeExchange(error as Error, limitMs));
    }
  }

  return { send, fault };
}

function parsed(text: string): { value: unknown; isJson: boolean } {
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: undefined, isJson: false };
  }
}
