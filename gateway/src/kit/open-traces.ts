// Loads OpenTelemetry, and is itself loaded only where traces are on.
import { hostname } from 'node:os';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Facts, Scope, Span, SpanKind as SpanKindName, Traces } from './trace.ts';

/** Which traces are kept, and how spans wait to be sent. */
export type TracesConfig = {
  /** The share of new traces that is kept, from 0 to 1. */
  share: number;
  /** Whether a trace that another program began is kept where that program keeps it. */
  followsParent: boolean;
  /** What is left out has the default of OpenTelemetry. */
  queue: {
    scheduledDelayMillis?: number;
    maxQueueSize?: number;
    maxExportBatchSize?: number;
    exportTimeoutMillis?: number;
  };
};

const kinds: Record<SpanKindName, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
};

const closeMs = 2_000;
const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Opens the traces of this process. Where they are sent, and with which headers, is what the OTEL_EXPORTER_OTLP_ settings
 * of the environment say. What cannot be sent is dropped: nothing waits for it.
 */
export function openTraces(config: TracesConfig, version: string, log: Logger): Traces {
  const own = resourceFromAttributes({
    'service.name': 'florin',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const exporter = dropping(new OTLPTraceExporter(), log);
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ ...config.queue, exporter })],
  });
  const tracer = provider.getTracer('florin', version);

  function scopeIn(context: Context, note: Scope['note']): Scope {
    return {
      note,
      begin(name: string, facts?: Facts, kind: SpanKindName = 'internal'): Span {
        const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, context);
        const { traceId, spanId, traceFlags } = span.spanContext();
        const isKept = (traceFlags & TraceFlags.SAMPLED) !== 0;
        return {
          ...scopeIn(trace.setSpan(ROOT_CONTEXT, span), (more) => void span.setAttributes({ ...more })),
          parent: isKept ? `00-${traceId}-${spanId}-01` : null,
          end(how) {
            if (how === 'by a fault') span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    };
  }

  const root = scopeIn(ROOT_CONTEXT, () => {});
  return {
    ...root,
    below(parent) {
      const [, traceId, spanId, flags] = traceparent.exec(String(parent)) ?? [];
      if (!traceId || !spanId || !flags) return root;
      const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
      const remote = { traceId, spanId, traceFlags, isRemote: true };
      return scopeIn(trace.setSpanContext(ROOT_CONTEXT, remote), () => {});
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeMs);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

function samplerOf({ share, followsParent }: TracesConfig): Sampler {
  const root =
    share === 1
      ? new AlwaysOnSampler()
      : share === 0
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share);
  return followsParent ? new ParentBasedSampler({ root }) : root;
}

/** An exporter whose faults are one line of the log, and one when it sends again. */
function dropping(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined || result.code !== 0;
        if (failed && !isAway)
          log.warn({ fault: result.error?.message }, 'traces cannot be sent, and are dropped meanwhile');
        if (!failed && isAway) log.info('traces are sent again');
        isAway = failed;
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
