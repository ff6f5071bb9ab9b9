import { ownWords } from './own-words.ts';
import { type CheckWords, type Level, outsideWords, type Words } from './words.ts';

/** Every check with what it may find. The names are stable; docs/doctor.md has the same rows. */
export const words = { ...ownWords, ...outsideWords } as const;
export type CheckName = keyof typeof words;

/** What every check may end with besides. */
export const unfinished = {
  timed_out: {
    level: 'unknown',
    what: 'The check did not end within ten seconds.',
    todo: 'Check again. If it comes back, what is looked at is very slow.',
  },
  failed: {
    level: 'unknown',
    what: 'The check itself failed.',
    todo: 'Check again. If it comes back, report it as a fault of Florin.',
  },
} as const satisfies Record<string, Words>;

/** One thing that a check found. `detail` has names and figures, and never a secret. */
export type Finding = {
  check: CheckName;
  finding: string;
  level: Level;
  what: string;
  todo: string | null;
  detail: string | null;
};

type FindingOf<Name extends CheckName> = keyof (typeof words)[Name]['findings'] & string;

/** A finding in its words. */
export function found<Name extends CheckName>(
  check: Name,
  finding: FindingOf<Name>,
  detail: string | null = null,
): Finding {
  const { findings }: CheckWords = words[check];
  return findingOf(check, finding, findings[finding], detail);
}

/** A check that did not come to its end. */
export function broken(check: CheckName, finding: keyof typeof unfinished, detail: string | null): Finding {
  return findingOf(check, finding, unfinished[finding], detail);
}

function findingOf(
  check: CheckName,
  finding: string,
  known: Words | undefined,
  detail: string | null,
): Finding {
  if (!known) throw new Error(`The check ${check} cannot find ${finding}`);
  const { level, what, todo = null } = known;
  return { check, finding, level, what, todo, detail };
}
