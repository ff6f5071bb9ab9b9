import { api } from './client.ts';
import type { Mode } from './scope.ts';

/** Ticks the first of the first steps. It is no loss when this fails: the key's first use ticks it as well. */
export function reportKeyCopied(integrationId: string, mode: Mode): void {
  const path = `/console/integrations/${integrationId}/${mode}/onboarding/key-copied`;
  void api(path, { body: {} }).catch(() => {});
}
