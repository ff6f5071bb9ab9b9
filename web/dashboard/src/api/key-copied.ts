import { api } from './client.ts';
import type { Mode } from './scope.ts';

/** Marks the first step as done. It may fail: the first use of the key marks the step too. */
export function reportKeyCopied(integrationId: string, mode: Mode): void {
  const path = `/console/integrations/${integrationId}/${mode}/onboarding/key-copied`;
  void api(path, { body: {} }).catch(() => {});
}
