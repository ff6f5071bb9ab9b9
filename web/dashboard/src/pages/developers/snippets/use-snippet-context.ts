import { useScope } from '../../../api/scope.ts';
import { useOwnKey } from '../../../api/test-key.ts';
import type { SnippetContext } from './snippet.ts';

/** The open integration's addresses and identifiers, and the part of its key that can still be shown. */
export function useSnippetContext(): SnippetContext {
  const { integrationId, mode } = useScope();
  const { shown, isWhole } = useOwnKey();
  return { baseUrl: location.origin, integrationId, mode, key: shown, isWhole };
}
