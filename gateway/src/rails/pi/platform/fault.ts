import { EndpointFault, type FaultKind } from '../../endpoint-fault.ts';

/** A fault of the Pi platform; the call may have been carried out anyway. */
export class PlatformFault extends EndpointFault {
  /** Of its answer; null: there was none. */
  readonly status: number | null;
  /** How the platform names a refusal. */
  readonly code: string | null;

  constructor(
    kind: FaultKind,
    message: string,
    { status = null, code = null, retryAfterMs }: PlatformFaultDetails = {},
  ) {
    super(kind, message, retryAfterMs);
    this.status = status;
    this.code = code;
  }
}

type PlatformFaultDetails = {
  status?: number | null;
  code?: string | null;
  retryAfterMs?: number | undefined;
};

/**
 * Whether the platform understood the call and refused it; being busy or rejecting the key does not count as a refusal.
 */
export function isRefusal(error: unknown): error is PlatformFault {
  return error instanceof PlatformFault && error.kind === 'refused';
}

/** What the status of an answer without the wanted content means. */
export function kindOfStatus(status: number): FaultKind {
  if (status === 429) return 'rate_limited';
  // About the key, the time or a call that is made twice at once, and not about the payment.
  if (status === 401 || status === 403 || status === 408 || status === 409) return 'unreachable';
  return status >= 400 && status < 500 ? 'refused' : 'unreachable';
}
