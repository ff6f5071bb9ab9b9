import { Gauge, type Registry } from 'prom-client';

export type Sample = { labels: Record<string, string>; value: number };

export type ReadGauge = {
  name: string;
  help: string;
  labelNames?: string[];
  /** Rejects without the database. */
  read(): Promise<readonly Sample[]>;
};

/** A gauge for Prometheus that is read at each scrape and is the same in every process. */
export function registerGauge(registry: Registry, { name, help, labelNames = [], read }: ReadGauge): void {
  new Gauge({
    name,
    help,
    labelNames,
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Without the database it is left out, and the other metrics are still reported.
      if (labelNames.length === 0) this.remove();
      else this.reset();
      const samples = await read().catch(() => []);
      for (const { labels, value } of samples) this.set(labels, value);
    },
  });
}

/** Returns a function that reads once for all gauges of one scrape. */
export function onceAScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
