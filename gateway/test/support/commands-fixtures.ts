import { vi } from 'vitest';

export type Printed = { code: number; output: string; errors: string };

/** Runs a command of ours in this process and returns its exit code with what it printed. */
export async function printed(command: () => number | Promise<number>): Promise<Printed> {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    }),
  );
  try {
    const code = await command();
    return { code, output: texts.stdout, errors: texts.stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
