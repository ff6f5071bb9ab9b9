import type { Mode } from '../identity/integration.ts';
import type { Sending } from './rail.ts';

/** The rail that sends an asset in a mode, if there is one. */
export function sendingFor(sendings: readonly Sending[], mode: Mode, asset: string): Sending | undefined {
  return sendings.find((each) => each.mode === mode && each.assets.includes(asset));
}
