import { byId } from './dom.ts';
import { line } from './elements.ts';

/** What the part for paying with Pi shows. */
export type PiStatus = {
  /** The text about what the page waits for; null when it waits for nothing. */
  waiting: string | null;
  problem: string | null;
  /** The transaction that Pi has sent; null while there is none. */
  sent: string | null;
};

/** Parts that are hidden after the payment was sent: nobody should pay in another way then, or cancel. */
const hiddenOnceSent = ['by-transfer', 'other-methods', 'cancel'];

/** Draws the part again. */
export function showPiStatus({ waiting, problem, sent }: PiStatus, sentText: string): void {
  const button = byId('pay-pi');
  const box = byId('pi-status');
  if (!button || !box) return;
  button.ariaDisabled = `${waiting !== null}`;
  button.hidden = sent !== null;
  for (const id of hiddenOnceSent) byId(id)?.toggleAttribute('hidden', sent !== null);
  box.replaceChildren(
    ...(waiting ? [line('waiting', waiting)] : []),
    ...(problem ? [line('problem', problem)] : []),
    ...(sent && !problem ? [line('sent', sentText)] : []),
    ...(sent ? [line('code', sent)] : []),
  );
}
