import { expect, test } from 'vitest';
import { settingReader } from './setting-reader.ts';
import { readTraces } from './traces.ts';

const to = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

function read(env: Record<string, string>) {
  const reader = settingReader(env);
  return { traces: readTraces(reader), faults: reader.faults };
}

test('nothing is traced without a place for it, or where OpenTelemetry is off', () => {
  for (const env of [{}, { ...to, OTEL_SDK_DISABLED: 'true' }, { ...to, OTEL_TRACES_EXPORTER: 'none' }])
    expect(read(env)).toEqual({ traces: null, faults: [] });
});

test('the settings of OpenTelemetry say which traces are kept', () => {
  expect(read(to).traces).toEqual({ share: 1, followsParent: true, queue: {} });
  const few = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };
  expect(read({ ...to, ...few, OTEL_BSP_MAX_QUEUE_SIZE: '512' })).toEqual({
    traces: { share: 0.05, followsParent: true, queue: { maxQueueSize: 512 } },
    faults: [],
  });
  const none = { OTEL_TRACES_SAMPLER: 'always_off' };
  expect(read({ ...to, ...none }).traces).toMatchObject({ share: 0, followsParent: false });
});

test('each fault is named by its setting', () => {
  const { faults } = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_BSP_SCHEDULE_DELAY: '-1',
  });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_TRACES_SAMPLER',
    'OTEL_BSP_SCHEDULE_DELAY',
  ]);
  const half = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' };
  expect(read({ ...to, ...half }).faults).toHaveLength(1);
});
