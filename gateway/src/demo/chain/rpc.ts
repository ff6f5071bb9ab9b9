/** Calls a chain on this machine; throws with its message where it refuses. */
export type LocalRpc = <Result>(method: string, params?: unknown[]) => Promise<Result>;

const callMs = 20_000;

export function createLocalRpc(rpcUrl: string): LocalRpc {
  return async <Result>(method: string, params: unknown[] = []): Promise<Result> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(callMs),
    });
    const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
    if (error) throw new Error(`the local chain refused ${method}: ${error.message}`);
    return result;
  };
}
