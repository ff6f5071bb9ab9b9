import { ofGateway } from '../texts/of-gateway.ts';
import { t } from '../texts/t.ts';
/** One field that the gateway refused, and why. */
export type FieldFault = { field: string; message: string };

/** A refused call: `error` is the stable slug for programs, `message` the words for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly error: string;
  readonly details: FieldFault[];
  /** Names the call in the gateway's log; absent when no answer came. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    error: string,
    message: string,
    { details = [], requestId }: { details?: FieldFault[] | undefined; requestId?: string | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.details = details;
    this.requestId = requestId;
  }
}

/** True when `error` is the gateway's refusal with this slug. */
export function isRefusal(error: unknown, ...slugs: string[]): boolean {
  return error instanceof ApiError && slugs.includes(error.error);
}

/** What to show a person for any error that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? ofGateway(error.message) : t('This page has failed. Please reload it.');
}
