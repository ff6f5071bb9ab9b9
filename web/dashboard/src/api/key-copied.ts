import { api } from './client.ts';
import type { Mode } from './scope.ts';

/** Marks the first step as done. It may fail: the first use of the key marks the step too. */
export async function reportKeyCopied(integrationId: string, mode: Mode): Promise<void> {
  const path = `/console/integrations/${integrationId}/${mode}/onboarding/key-copied`;
  await api(path, { body: {} }).catch(() => {});
}
