import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const freshMs = 15_000;
const retries = 2;

/** Reads are fresh for 15 seconds, and are retried only where a retry may help. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      retry: (failures, error) => failures < retries && mayPass(error),
    },
  },
});

function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
