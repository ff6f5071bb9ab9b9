import { EndpointFault } from '../../endpoint-fault.ts';
import { advancePayment } from './advance.ts';
import type { PlatformDeps } from './deps.ts';
import { type Known, noteFault, takeDue } from './store.ts';

/** How many are asked about at once. */
const width = 8;

/**
 * Asks the platform about platform payments that are due, so that each ends even where its customer, or the process that
 * served them, is gone. Any number of processes may do so.
 */
export async function recoverDue(deps: PlatformDeps): Promise<void> {
  for (;;) {
    const due = await takeDue(deps.db, deps.pi, deps.now(), width);
    await Promise.all(due.map((known) => recover(deps, known)));
    if (due.length < width) return;
  }
}

async function recover(deps: PlatformDeps, known: Known): Promise<void> {
  try {
    await advancePayment(deps, known, { cancel: known.expiresAt <= deps.now() });
  } catch (error) {
    const { identifier, checks } = known;
    // It is due again by itself.
    await noteFault(deps.db, identifier, error instanceof Error ? error.message : String(error));
    const level = error instanceof EndpointFault ? 'warn' : 'error';
    deps.log[level]({ err: error, identifier, checks }, 'a payment in the Pi Browser could not be followed');
  }
}
