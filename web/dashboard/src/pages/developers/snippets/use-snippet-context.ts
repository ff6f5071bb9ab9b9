import { useScope } from '../../../api/scope.ts';
import type { SnippetContext } from './snippet.ts';
import { useKeyHint } from './use-key-hint.ts';

/** The open integration's addresses and identifiers, and the part of its key that can still be shown. */
export function useSnippetContext(): SnippetContext {
  const { integrationId, mode } = useScope();
  const hint = useKeyHint();
  return { baseUrl: location.origin, integrationId, mode, key: hint ?? `sk_${mode}_…` };
}
