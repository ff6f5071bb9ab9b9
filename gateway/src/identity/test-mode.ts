import { refuse } from '../kit/errors.ts';
import { identityErrors } from './errors.ts';
import type { Mode } from './integration.ts';

/** For what exists only in test mode. Throws `test_mode_only`. */
export function assertTest(mode: Mode): void {
  if (mode !== 'test') throw refuse(identityErrors.test_mode_only);
}
