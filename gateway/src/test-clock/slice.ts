import type { Console } from '../identity/console/console.ts';
import type { Guards } from '../identity/keys/guards.ts';
import type { Slice } from '../kit/slice.ts';
import { testClockConsoleRoutes } from './console-routes.ts';
import { testClockRoutes } from './routes.ts';
import type { TestClockDeps } from './test-clock.ts';

/** The clock of an integration's test mode. */
export function createTestClock(deps: TestClockDeps & { guards: Guards }): Slice<Console> {
  return {
    routes: {
      api: (api) => testClockRoutes(api, deps),
      dashboard: (dashboard) => testClockConsoleRoutes(dashboard, deps),
    },
  };
}
