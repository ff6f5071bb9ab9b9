import { api } from '../../api/client.ts';
import { deviceText } from '../account/device.ts';
import { type NoticePerson, personPath } from './queries.ts';

/** Whether this browser shows notices: it cannot, the person refused, it does, or nobody asked yet. */
export type PushState = 'unsupported' | 'denied' | 'on' | 'off';

/** The device that this browser is, as the gateway named it. */
const storageKey = 'florin-notice-device';

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** The state of this browser, for the person whose devices these are. */
export function pushState({ devices }: NoticePerson): PushState {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const isKnown = devices.some(({ id }) => id === localStorage.getItem(storageKey));
  return Notification.permission === 'granted' && isKnown ? 'on' : 'off';
}

/** Asks the person, subscribes this browser, and tells the gateway. Resolves with false where the person refused. */
export async function allowHere(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await navigator.serviceWorker.register('/app/worker.js', { scope: '/app/' });
  await navigator.serviceWorker.ready;
  const { public_key } = await api<{ public_key: string }>(`${personPath}/push-key`);
  // One of another installation at this address has another key.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  });
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  const label = deviceText(navigator.userAgent);
  const { id } = await api<{ id: string }>(`${personPath}/devices`, {
    body: { label, endpoint, p256dh, auth },
  });
  localStorage.setItem(storageKey, id);
  return true;
}

/** Removes a device; where it is this browser, its subscription too. */
export async function removeDevice(id: string): Promise<void> {
  await api(`${personPath}/devices/${id}`, { method: 'DELETE', body: {} });
  if (localStorage.getItem(storageKey) !== id) return;
  localStorage.removeItem(storageKey);
  const registration = await navigator.serviceWorker.getRegistration('/app/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
