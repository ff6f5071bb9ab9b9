import { lastPlace } from './api/last-place.ts';
import { isDoor, signInAddress } from './api/sign-in-address.ts';

// The first script of the dashboard's pages. Whoever has no session is led to the sign-in page before the program loads.

/** Who is signed in, as the gateway answers; null where the program finds it out by itself, with its errors. */
async function askWhoItIs(): Promise<Response | null> {
  const headers = { accept: 'application/json' };
  return await fetch('/console/account', { credentials: 'same-origin', headers }).catch(() => null);
}

async function start(): Promise<void> {
  const { pathname, search, hash } = location;
  const path = pathname.replace(/^\/app/, '') || '/';
  // Where somebody used the dashboard before, the program loads while the gateway says who it is.
  const loading = lastPlace() === undefined ? undefined : import('./main.tsx');
  const answer = isDoor(path) ? null : await askWhoItIs();
  if (answer?.status === 401) {
    location.replace(signInAddress(path === '/' ? {} : { next: `${path}${search}${hash}` }));
    return;
  }
  const body = answer?.ok ? answer.json().catch(() => null) : null;
  const { open } = await (loading ?? import('./main.tsx'));
  await open((await body)?.data);
}

// Not awaited: the program imports parts of this script, and would wait for its end.
void start();
