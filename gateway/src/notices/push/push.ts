import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import type { NoticeOutcome } from '../../webhooks/worker/notice-attempt.ts';
import { type Subscription, sealedSubscriptions } from './devices.ts';
import { loadWebPush, type Vapid } from './vapid.ts';

/** What the service worker shows, and the page that it opens (`web/dashboard/public/worker.js`). */
export type PushMessage = { title: string; body: string; path: string; tag: string };

export type PushDeps = {
  sender: HttpSender;
  seal: Seal;
  vapid: () => Promise<Vapid>;
  /** Who is responsible, for push services: an https or mailto address. */
  subject: string;
  /** Push services may be at private addresses (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
};

const keptSeconds = 24 * 3600;

/** A device whose push service says that it is gone. */
export type DeviceGone = { outcome: 'gone' };

/** Pushes a message to one device, encrypted for it alone (RFC 8291). Its address came from a browser, as a webhook's from a merchant. */
export async function pushTo(
  { sender, seal, vapid, subject, allowPrivate }: PushDeps,
  device: { id: string; subscription: Buffer },
  message: PushMessage,
): Promise<NoticeOutcome | DeviceGone> {
  const subscription = JSON.parse(
    seal.open(device.subscription, sealedSubscriptions.at(device.id)),
  ) as Subscription;
  const webPush = await loadWebPush();
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
    vapidDetails: { subject, ...(await vapid()) },
    TTL: keptSeconds,
    contentEncoding: 'aes128gcm',
  });
  const result = await sender.send({
    url: new URL(endpoint),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
    reach: allowPrivate ? 'any' : 'public',
  });
  const { durationMs } = result;
  if ('error' in result) return { outcome: 'refused', error: result.error, durationMs };
  const { statusCode } = result;
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'sent', durationMs };
  if (statusCode === 404 || statusCode === 410) return { outcome: 'gone' };
  const answer = { statusCode, retryAfter: [result.headers['retry-after']].flat()[0] };
  return { outcome: 'refused', error: `The push service answered ${statusCode}`, answer, durationMs };
}
