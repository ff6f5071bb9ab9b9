import type { Traces } from '../../kit/trace.ts';
import type { AttemptDelivery } from './attempt.ts';

/** Gives each attempt a span below that of its event, in whichever process the event was written. */
export function traceAttempts(attempt: AttemptDelivery, traces: Traces | undefined): AttemptDelivery {
  if (!traces) return attempt;
  return async (deps, delivery, target) => {
    if (delivery.trace === undefined) return await attempt(deps, delivery, target);
    const { channel } = target;
    const span = traces.below(delivery.trace).begin(
      `${channel === 'webhook' ? channel : 'notice'} attempt`,
      {
        'florin.event_id': delivery.event_id,
        'florin.delivery_id': delivery.id,
        'florin.endpoint_id': delivery.endpoint_id,
        'florin.attempt': delivery.attempts + 1,
        'florin.channel': channel,
        // The path may hold a secret of the receiver.
        ...(channel === 'webhook' && { 'server.address': target.url.hostname }),
      },
      'client',
    );
    const made = await attempt(deps, delivery, target);
    const { statusCode, error } = made;
    span.note({
      'florin.outcome': made.status,
      ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      ...(error !== null && { 'error.type': statusCode === null ? 'no_answer' : `${statusCode}` }),
    });
    span.end(error === null ? 'well' : 'by a fault');
    return made;
  };
}
