import type { TracesConfig } from '../kit/open-traces.ts';
import type { SettingReader } from './setting-reader.ts';

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const protocols = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const samplers = /^(parentbased_)?(always_on|always_off|traceidratio)$/;

/** Reads the settings of OpenTelemetry that its exporter does not read itself; null: nothing is traced. */
export function readTraces(read: SettingReader): TracesConfig | null {
  const { text, fault, url } = read;
  const isOff = text('OTEL_SDK_DISABLED').toLowerCase() === 'true' || text('OTEL_TRACES_EXPORTER') === 'none';
  if (isOff || endpoints.every((name) => text(name) === '')) return null;
  for (const name of endpoints) url(name, /^https?:\/\/[^?#]+$/);
  for (const name of protocols) {
    if (!['', 'http/protobuf'].includes(text(name))) fault(name, 'must be http/protobuf');
  }
  const sampler = text('OTEL_TRACES_SAMPLER') || 'parentbased_always_on';
  const [, follows, kind] = samplers.exec(sampler) ?? [];
  if (!kind)
    fault('OTEL_TRACES_SAMPLER', 'must be always_on, always_off or traceidratio, also after parentbased_');
  return {
    share: kind === 'traceidratio' ? readShare(read) : kind === 'always_off' ? 0 : 1,
    followsParent: follows !== undefined,
    queue: {
      ...count(read, 'OTEL_BSP_SCHEDULE_DELAY', 'scheduledDelayMillis'),
      ...count(read, 'OTEL_BSP_MAX_QUEUE_SIZE', 'maxQueueSize'),
      ...count(read, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'maxExportBatchSize'),
      ...count(read, 'OTEL_BSP_EXPORT_TIMEOUT', 'exportTimeoutMillis'),
    },
  };
}

function readShare({ text, fault }: SettingReader): number {
  const share = text('OTEL_TRACES_SAMPLER_ARG') || '1';
  if (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(share)) return +share;
  fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return 1;
}

function count({ text, fault }: SettingReader, name: string, option: keyof TracesConfig['queue']) {
  if (text(name) === '') return {};
  if (!/^[1-9]\d{0,6}$/.test(text(name))) fault(name, 'must be a number from 1 to 9999999');
  return { [option]: Number.parseInt(text(name), 10) };
}
