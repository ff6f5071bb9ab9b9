import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { openCollector } from '../../test/traces/collector.ts';
import { openTraces, type TracesConfig } from './open-traces.ts';

const all: TracesConfig = { share: 1, followsParent: true, queue: { scheduledDelayMillis: 5 } };
const caller = (flags: string) => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}`;

/** Opens traces that are sent to this collector. */
function opened(url: string, config: TracesConfig) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
  const lines: string[] = [];
  const traces = openTraces(
    config,
    '0.0.0',
    pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) }),
  );
  vi.unstubAllEnvs();
  return { traces, lines };
}

test('a collector that never answers keeps nobody: spans are dropped, and the end comes', async () => {
  const collector = await openCollector(() => 'never');
  const { traces } = opened(collector.url, { ...all, queue: { ...all.queue, maxQueueSize: 10 } });
  for (let n = 0; n < 10_000; n += 1) traces.begin('span').end();
  await expect.poll(() => collector.headers().length, { timeout: 60_000 }).toBe(1);
  await traces.close();
  expect(collector.bytes().length).toBeLessThan(10_000);
  await collector.close();
});

test('one line says that a collector is away, and one that it is back', async () => {
  const collector = await openCollector((call) => (call <= 2 ? 400 : 200));
  const { traces, lines } = opened(collector.url, all);
  for (let call = 1; call <= 4; call += 1) {
    traces.begin('span').end();
    await expect.poll(() => collector.headers().length, { timeout: 60_000 }).toBe(call);
  }
  await traces.close();
  expect(lines).toEqual(['traces cannot be sent, and are dropped meanwhile', 'traces are sent again']);
  await collector.close();
});

test('traces are kept as the settings and their callers say', async () => {
  const collector = await openCollector();
  const keeps = (config: TracesConfig, parent?: string) =>
    opened(collector.url, config).traces.below(parent).begin('span').parent !== null;
  expect(keeps(all)).toBe(true);
  expect(keeps({ ...all, share: 0 })).toBe(false);
  expect(keeps(all, caller('00'))).toBe(false);
  expect(keeps({ ...all, share: 0 }, caller('01'))).toBe(true);
  expect(keeps({ ...all, share: 0, followsParent: false }, caller('01'))).toBe(false);
  await collector.close();
});

test.each(['', 'text', caller('zz'), `${caller('01')}-more`, `ff${caller('01').slice(2)}`, undefined])(
  'what is no traceparent begins a new trace: %s',
  async (parent) => {
    const span = opened('http://127.0.0.1:9', all).traces.below(parent).begin('span');
    expect(span.parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(span.parent).not.toContain('aaaa');
  },
);
