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
};

answer<Load, Driven>(async (load) => {
  const { method, headers, requests } = load;
  const end = performance.now() + load.seconds * 1000;
  let next = 0;
  return await driveClosed(
    load,
    () => performance.now() < end,
    async (pool) => {
      const { path, body = null } = requests[next++ % requests.length]!;
      const response = await pool.request({ path, method, headers, body });
      if (response.statusCode !== 200) throw new Error(`Answered ${await response.body.text()}`);
      await response.body.dump();
      return true;
    },
  );
});
