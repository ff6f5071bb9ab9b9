import type { Socket } from 'node:net';
import { clientKey } from '../net/client-address.ts';

/** How a connection is treated: as usual, refused in its first answer, or closed at once. */
export type Welcome = 'accepted' | 'crowded' | 'refused';

/** How many connections a client may hold open; an IPv6 network counts as one client. */
export const mostConnections = 1_000;
/** This many more get one answer, which says why they are refused; any beyond are closed without one. */
const excess = 50;

/** Counts the open connections of each client. A proxy in front of the gateway counts them itself. */
export function createConnections(most = mostConnections) {
  const open = new Map<string, number>();
  return {
    enter(socket: Socket): Welcome {
      const key = clientKey(socket.remoteAddress ?? '');
      const before = open.get(key) ?? 0;
      if (before >= most + excess) return 'refused';
      open.set(key, before + 1);
      socket.once('close', () => {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      });
      return before < most ? 'accepted' : 'crowded';
    },
  };
}
