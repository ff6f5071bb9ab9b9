import { setClock } from './clocks.ts';
import { mainPart } from './dom.ts';
import { swapMain } from './swap.ts';

/** How often the state is polled while the stream is broken. */
const POLL_MS = 5_000;

let stream: EventSource | undefined;
let streamBroken = false;
/** Nothing more is to come by itself. */
let isOver = false;
let refreshing = false;
let refreshAgain = false;
let onSwap = () => {};

/** Follows the payment: by the stream, by polling while that is broken, and by both whenever the page is shown again. */
export function follow(whenSwapped: () => void): void {
  onSwap = whenSwapped;
  openStream();
  setInterval(pollWhileBroken, POLL_MS);
  document.addEventListener('visibilitychange', comeBack);
  window.addEventListener('online', comeBack);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) comeBack();
  });
}

/** Fetches the page again. All calls during a fetch lead to one further fetch. */
export async function refresh(): Promise<void> {
  refreshAgain = refreshing;
  if (refreshing) return;
  refreshing = true;
  try {
    // A browser does not say for what a script asks from inside a frame.
    const headers: HeadersInit = window.top === window.self ? {} : { 'x-framed': '1' };
    const response = await fetch(location.href, { cache: 'no-store', headers });
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    // Offline: the next poll tries again.
    streamBroken = true;
  } finally {
    refreshing = false;
  }
  if (refreshAgain) await refresh();
}

function show(fresh: Document): void {
  const next = fresh.querySelector('main');
  if (next) setClock(next);
  if (swapMain(fresh)) onSwap();
}

function openStream(): void {
  stream?.close();
  isOver = false;
  const opened = new EventSource(document.body.dataset.events ?? '');
  stream = opened;
  opened.addEventListener('message', (event: MessageEvent<string>) => onState(event.data));
  opened.addEventListener('over', () => {
    // The end of the connection is no error then.
    opened.close();
    if (opened === stream) isOver = true;
  });
  opened.addEventListener('open', () => {
    streamBroken = false;
  });
  opened.addEventListener('error', () => {
    if (opened === stream) streamBroken = true;
  });
}

/** Phones end streams without an error while another app is in front, so the old stream's state is not trusted. */
function comeBack(): void {
  if (document.visibilityState === 'hidden') return;
  openStream();
  void poll();
}

function pollWhileBroken(): void {
  if (!streamBroken || isOver) return;
  if (stream?.readyState === EventSource.CLOSED) openStream();
  void poll();
}

async function poll(): Promise<void> {
  try {
    const response = await fetch(document.body.dataset.state ?? '', { cache: 'no-store' });
    if (response.ok) onState(await response.text());
  } catch {
    streamBroken = true;
  }
}

function onState(json: string): void {
  const { sequence } = JSON.parse(json) as { sequence: number };
  if (String(sequence) !== mainPart().dataset.version) void refresh();
}
