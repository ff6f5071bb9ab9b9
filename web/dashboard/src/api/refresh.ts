import { useQueryClient } from '@tanstack/react-query';

/**
 * Makes every read of these paths, and of what lies below them, stale; `session` is the session's own. What waits for a
 * person is read again after each change.
 */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const client = useQueryClient();
  return (...paths) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        typeof key === 'string' &&
        (key.endsWith('/attention') || paths.some((path) => key === path || key.startsWith(`${path}/`))),
    });
}
