import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a child by SIGTERM, and after `withinMs` by SIGKILL; resolves when it has ended. */
export async function endChild(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await ended;
  clearTimeout(timer);
}
