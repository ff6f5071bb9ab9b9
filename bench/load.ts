// The load generator: keep-alive connections, each of which sends its next request when it has the answer.
import { answer } from './child.ts';
import { type Driven, driveClosed } from './closed-load.ts';

export type Load = {
  port: number;
  method: 'GET' | 'PUT' | 'POST';
  headers: Record<string, string>;
  /** Sent in turn, over and over; a body is JSON text. */
  requests: { path: string; body?: string }[];
  connections: number;
  seconds: number;
  /** It ends earlier when so many requests were sent. */
  count?: number;
};

answer<Load, Driven>(async (load) => {
  const { method, headers, requests, count = Infinity } = load;
  const end = performance.now() + load.seconds * 1000;
  let next = 0;
  return await driveClosed(
    load,
    () => performance.now() < end && next < count,
    async (pool) => {
      const { path, body = null } = requests[next++ % requests.length]!;
      const response = await pool.request({ path, method, headers, body });
      if (response.statusCode !== 200) throw new Error(`Answered ${await response.body.text()}`);
      await response.body.dump();
      return true;
    },
  );
});
