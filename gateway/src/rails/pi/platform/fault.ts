import { EndpointFault, type FaultKind } from '../../endpoint-fault.ts';

/** What went wrong between us and the Pi platform; whatever was asked may have been done all the same. */
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

/** Whether the platform understood what it was asked and says no: not that it is busy, or does not know the key. */
export function isRefusal(error: unknown): error is PlatformFault {
  return error instanceof PlatformFault && error.kind === 'refused';
}

/** What the status of an answer without the wanted content means. */
export function kindOfStatus(status: number): FaultKind {
  if (status === 429) return 'rate_limited';
  // About the key, the moment or a twin of ours: no word on the payment.
  if (status === 401 || status === 403 || status === 408 || status === 409) return 'unreachable';
  return status >= 400 && status < 500 ? 'refused' : 'unreachable';
}
