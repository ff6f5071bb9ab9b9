import { FlorinError } from './errors.ts';
import { type CallOptions, exchange } from './exchange.ts';
import type { RequestConfig } from './request.ts';

/** Whether the gateway can take payments, and what it waits for if it cannot. */
export type Readiness = { status: 'ready' } | { status: 'waiting'; for: string[] };

/** The calls for the state of the gateway (contract.md#calls). They need no key and are tried once. */
export function healthCalls(config: RequestConfig) {
  async function ask<Data>(path: string, statuses: number[], { signal }: CallOptions): Promise<Data> {
    const { timeoutMs } = config;
    const { response, text } = await exchange(config.fetch, config.baseUrl + path, {}, { timeoutMs, signal });
    try {
      if (statuses.includes(response.status)) return JSON.parse(text) as Data;
    } catch {
      // Falls through: a gateway answers JSON.
    }
    const message = `${path} answered ${response.status}, but not as a Florin gateway does: check baseUrl`;
    throw new FlorinError(message, { status: response.status, code: 0, slug: 'unexpected_response' });
  }

  return {
    /** Resolves while the gateway's process runs. */
    health: (options: CallOptions = {}) => ask<{ status: 'ok' }>('/health', [200], options),

    /** Whether it is ready. A gateway that is not ready is no error. */
    ready: (options: CallOptions = {}) => ask<Readiness>('/ready', [200, 503], options),
  };
}
