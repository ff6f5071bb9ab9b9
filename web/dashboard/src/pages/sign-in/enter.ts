import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/** Opens the dashboard after a sign-in: at this address of the app, otherwise at the last page of the person. */
export function useEnter(): (next?: string) => void {
  const router = useRouter();
  const queries = useQueryClient();
  return (next = '/') => {
    // Data that was read before belongs to the person who was signed in before.
    queries.clear();
    router.history.push(`${router.basepath}${next}`);
  };
}
