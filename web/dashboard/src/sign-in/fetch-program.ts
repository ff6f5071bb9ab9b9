import { language } from '../texts/language.ts';

/** The files of the dashboard's program, as the build wrote them: for every language, and the texts of each. */
type ProgramFiles = Readonly<Record<string, readonly string[]>>;

/** Once somebody types or presses, the program comes into the browser's cache, so that it is there after the sign-in. */
export function fetchProgram(): void {
  const waiting = new AbortController();
  const begin = (): void => {
    waiting.abort();
    // Where this fails, the program loads after the sign-in.
    void fetchFiles().catch(() => {});
  };
  for (const act of ['input', 'pointerdown']) addEventListener(act, begin, { signal: waiting.signal });
}

async function fetchFiles(): Promise<void> {
  const { all = [], [language]: texts = [] }: ProgramFiles = await (await fetch('/app/program.json')).json();
  await Promise.all([...all, ...texts].map((file) => fetch(file, { priority: 'low' })));
}
