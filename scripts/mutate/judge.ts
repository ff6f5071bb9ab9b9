import { join, relative } from 'node:path';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { type Mutation, root, testsOf } from './mutation.ts';
import { createMutator, type Mutator } from './plugin.ts';

/** What the nearest tests made of a change. */
export type Finding =
  /** `by`: the first test that failed. */
  | { state: 'killed'; by: string; why: string }
  | { state: 'survived' }
  /** It says nothing of the tests: what was to be tried was not tried. */
  | { state: 'not tried'; why: string };

/** Runs tests on changed code: one server of Vitest, and one PostgreSQL, for all changes. */
export type Judge = {
  /** The tests that fail without any change, as `file: test`. */
  failing(tests: readonly string[]): Promise<string[]>;
  judge(mutation: Mutation): Promise<Finding>;
  close(): Promise<void>;
};

/** What waits for what a change prevents waits for so long; a test that ends by its limit kills nothing. */
const pollMs = 30_000;
const testMs = 180_000;

export async function startJudge(): Promise<Judge> {
  const mutator = createMutator();
  const vitest = await createVitest(
    {
      root,
      config: join(root, 'vitest.config.ts'),
      watch: false,
      // It would give a module as it is on the disk.
      fsModuleCache: false,
      // Says nothing.
      reporters: [{}],
      testTimeout: testMs,
      hookTimeout: testMs,
      expect: { poll: { timeout: pollMs } },
    },
    { plugins: [mutator] },
  );
  return {
    failing: async (tests) => (await run(vitest, tests, 0)).map(({ by }) => by),
    judge: (mutation) => judge(vitest, mutator, mutation),
    close: () => vitest.close(),
  };
}

async function judge(vitest: Vitest, mutator: Mutator, mutation: Mutation): Promise<Finding> {
  await become(vitest, mutator, mutation);
  const [failure] = await run(vitest, testsOf(mutation), 1);
  const wasLoaded = mutator.wasLoaded();
  await become(vitest, mutator, null);
  if (!wasLoaded) return { state: 'not tried', why: 'no test loads the changed file in its own process' };
  if (!failure) return { state: 'survived' };
  if (failure.isUnloaded)
    return { state: 'not tried', why: `the changed code cannot be loaded: ${failure.why}` };
  if (/timed out in \d+ms/.test(failure.why))
    return { state: 'not tried', why: `${failure.by}: ${failure.why}` };
  return { state: 'killed', by: failure.by, why: failure.why };
}

async function become(vitest: Vitest, mutator: Mutator, mutation: Mutation | null): Promise<void> {
  for (const path of await mutator.become(mutation)) vitest.invalidateFile(path);
}

type Failure = { by: string; why: string; isUnloaded: boolean };

/** Runs test files until so many tests have failed; 0: to their ends. Returns what failed, in the order of the files. */
async function run(vitest: Vitest, tests: readonly string[], bail: number): Promise<Failure[]> {
  for (const { config } of [vitest, ...vitest.projects]) config.bail = bail;
  const files = new Set(tests.map((path) => join(root, path)));
  const known = await vitest.globTestSpecifications([...files]);
  const specifications = known.filter(({ moduleId }) => files.has(moduleId));
  if (specifications.length !== files.size)
    throw new Error(`Some of these are no test files: ${tests.join(', ')}`);
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The files of earlier runs are among them.
  const failed = testModules.filter(({ moduleId }) => files.has(moduleId)).flatMap(failuresOf);
  const unhandled = unhandledErrors.map((error): Failure => {
    return { by: 'an error that no test caught', why: firstLine(error), isUnloaded: false };
  });
  return [...failed, ...unhandled];
}

function failuresOf(module: TestModule): Failure[] {
  const path = relative(root, module.moduleId);
  const tests = [...module.children.allTests('failed')].map((test): Failure => {
    return { by: `${path}: ${test.fullName}`, why: firstLine(test.result().errors?.[0]), isUnloaded: false };
  });
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const hooks = [...suites, ...module.errors()].map((error): Failure => {
    const isUnloaded = module.children.size === 0;
    return { by: `${path}: what goes before its tests, or after them`, why: firstLine(error), isUnloaded };
  });
  return [...tests, ...hooks];
}

function firstLine(error: unknown): string {
  const { message = String(error) } = (error ?? {}) as { message?: string };
  return message.split('\n')[0] ?? '';
}
