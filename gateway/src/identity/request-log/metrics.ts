import { Counter, type Registry } from 'prom-client';
import type { RequestLog } from './request-log.ts';

/** How many requests the request log could not note, for Prometheus. */
export function createRequestLogMetrics(registry: Registry, { dropped }: Pick<RequestLog, 'dropped'>): void {
  new Counter({
    name: 'florin_request_log_dropped_total',
    help: 'Requests that were answered but came too fast for the request log.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(dropped());
    },
  });
}
