/** Asks a JSON-RPC endpoint. Rejects with the fault that it says. */
export type Rpc = <T>(method: string, ...params: unknown[]) => Promise<T>;

export function openRpc(url: string): Rpc {
  let id = 0;
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    });
    const answer = (await response.json()) as { result?: T; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as T;
  };
}
