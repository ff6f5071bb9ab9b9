// What a test file opens and its helpers close. Files share their worker's modules, so that a hook which a helper
// registers while it is imported would run for the first file alone; `file-setup.ts` calls `endAll` after each.
const endings: (() => unknown)[] = [];

/** Has this closed when the running test file is done. What was opened last is closed first. */
export function atFileEnd(end: () => unknown): void {
  endings.push(end);
}

/** Closes everything, though something cannot be closed, and rejects with the first fault. */
export async function endAll(): Promise<void> {
  const faults: unknown[] = [];
  for (const end of endings.splice(0).reverse()) {
    try {
      await end();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}
