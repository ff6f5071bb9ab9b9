import { byId, mainPart, messageOf } from './dom.ts';
import { lengthOf, timeOf } from './times.ts';

/** From this long before the deadline the time left is counted down, in place of the sentence about it. */
const TIMER_FROM_MS = 2 * 60_000;

let clockSkewMs = 0;
let deadlineReached = false;
let countdown: { endsAt: number; box: HTMLElement } | undefined;

/** Takes over the server's time, because deadlines go by it. In test mode it may be ahead of the browser's. */
export function setClock(main: HTMLElement): void {
  clockSkewMs = Number(main.dataset.now) - Date.now();
}

/** Starts the clocks of a new `main`. The countdown does not start again once it was stopped or has ended. */
export function startClocks(): void {
  deadlineReached = false;
  for (const time of all<HTMLTimeElement>('time[data-local]')) {
    time.textContent = timeOf(new Date(time.dateTime), now(), time.dataset.local === 'full');
  }
  const box = mainPart().querySelector<HTMLElement>('[data-seconds]');
  const stayed = (history.state as { stayed?: boolean } | null)?.stayed;
  const starts = box && !stayed && !isFillingIn();
  countdown = starts ? { endsAt: Date.now() + Number(box.dataset.seconds) * 1000, box } : undefined;
  if (countdown) countdown.box.hidden = false;
}

/** Updates the clocks. Calls `onDeadline` once, when the deadline has passed. */
export function tick(onDeadline: () => void): void {
  tickCountdown();
  tickSent();
  const timer = mainPart().querySelector<HTMLElement>('[data-deadline]');
  if (!timer) return;
  const deadline = new Date(Number(timer.dataset.deadline));
  const leftMs = deadline.getTime() - now();
  const within = byId('within');
  if (within && leftMs > 0) {
    const left = lengthOf(leftMs, 'long');
    within.textContent = messageOf(within, 'left', left).replace('{time}', () => timeOf(deadline, now()));
  }
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  timer.hidden = leftMs > TIMER_FROM_MS;
  if (within) within.hidden = !timer.hidden;
  timer.textContent = messageOf(timer, 'time', time);
  if (leftMs > 0 || deadlineReached) return;
  deadlineReached = true;
  onDeadline();
}

/** Whether a form is being filled in: nobody is led away from that. */
function isFillingIn(): boolean {
  return document.activeElement?.matches('main :is(input, textarea)') === true;
}

/** Ends the countdown for good. The history entry keeps that across reloads and the back button. */
export function stopCountdown(): void {
  if (!countdown) return;
  countdown.box.hidden = true;
  countdown = undefined;
  history.replaceState({ stayed: true }, '');
}

/** The page's time. What the wallet script drew counts by this browser's own. */
function now({ dataset }: HTMLElement = mainPart()): number {
  return Date.now() + (dataset.here === undefined ? clockSkewMs : 0);
}

function all<E extends HTMLElement = HTMLElement>(selector: string): NodeListOf<E> {
  return mainPart().querySelectorAll<E>(selector);
}

/** How long ago something was sent, and what is offered only after a while. */
function tickSent(): void {
  for (const since of all('[data-since]')) {
    const time = lengthOf(now(since) - Number(since.dataset.since), 'short');
    since.textContent = messageOf(since, 'time', time);
  }
  for (const later of all('[data-from]')) later.hidden = now(later) < Number(later.dataset.from);
}

function tickCountdown(): void {
  if (!countdown) return;
  const seconds = Math.max(0, Math.ceil((countdown.endsAt - Date.now()) / 1000));
  const text = countdown.box.querySelector('span');
  if (text) text.textContent = messageOf(countdown.box, 'seconds', String(seconds));
  if (seconds > 0) return;
  stopCountdown();
  const link = byId<HTMLAnchorElement>('return');
  if (link) location.assign(link.href);
}
