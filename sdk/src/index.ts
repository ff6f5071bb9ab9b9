export type { Client, ClientOptions } from './client.ts';
export { createClient } from './client.ts';
export type { ErrorDetail, WebhookRefusal } from './errors.ts';
export { FlorinError, WebhookVerificationError } from './errors.ts';
export type { WriteOptions } from './request.ts';
export type * from './types.ts';
export type { Secrets, VerifyWebhookInput, WebhookHeaders } from './verify-webhook.ts';
export { verifyWebhook } from './verify-webhook.ts';
