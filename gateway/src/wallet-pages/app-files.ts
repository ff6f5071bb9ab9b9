import { createHash } from 'node:crypto';
import type { WalletAssets } from './assets.ts';
import { iconPng, iconSvg } from './icon.ts';
import type { Say } from './messages/words.ts';

/** A file that lets browsers install the pages as an app. */
export type AppFile = { path: string; contentType: string; body(): string | Buffer };

const drawn = new Map<number, Buffer>();

/** Drawn at the first request: at the start it would take too long. */
function drawnIcon(size: number): Buffer {
  const png = drawn.get(size) ?? iconPng(size);
  drawn.set(size, png);
  return png;
}

/** The sizes that browsers ask of an app: for its icon, and for the picture while it starts. */
const appSizes = [192, 512];
const pngFile = (name: string, size: number) => ({
  ...{ path: name, contentType: 'image/png' },
  body: () => drawnIcon(size),
});

/** Path and content of each, below the wallet's own path. */
export function appFiles(path: string, files: WalletAssets, say: Say): AppFile[] {
  const [manifestText, workerText] = [manifest(path, say), worker(path, files)];
  return [
    { path: 'icon.svg', contentType: 'image/svg+xml', body: () => iconSvg },
    pngFile('icon.png', 180),
    ...appSizes.map((size) => pngFile(`icon-${size}.png`, size)),
    { path: 'manifest.webmanifest', contentType: 'application/manifest+json', body: () => manifestText },
    { path: 'worker.js', contentType: 'text/javascript; charset=utf-8', body: () => workerText },
  ];
}

function manifest(path: string, say: Say): string {
  const name = say('walletName').text;
  return JSON.stringify({
    ...{ id: `${path}/`, name, short_name: 'Florin', start_url: `${path}/`, scope: `${path}/` },
    ...{
      display: 'standalone',
      background_color: '#fbfaf7',
      theme_color: '#fbfaf7',
      categories: ['finance'],
    },
    shortcuts: (['receive', 'send'] as const).map((page) => ({
      name: say(page).text,
      url: `${path}/${page}`,
    })),
    icons: [
      ...appSizes.map((size) => ({
        ...{ src: `${path}/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' },
        purpose: 'any',
      })),
      { src: `${path}/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: `${path}/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
    ],
  });
}

/**
 * The service worker. It keeps the offline page and the files that it loads, and nothing of any wallet. Everything else
 * comes from the server.
 */
function worker(path: string, { style, script }: WalletAssets): string {
  const kept = [`${path}/offline`, style.path, script.path];
  const version = createHash('sha256').update(kept.join()).digest('base64url').slice(0, 12);
  return `const name = 'florin-wallet-${version}';
const kept = ${JSON.stringify(kept)};
addEventListener('install', (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(kept)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => {
  const old = (each) => each.startsWith('florin-wallet-') && each !== name;
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter(old).map((each) => caches.delete(each)))),
  );
});
addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request;
  const file = kept.slice(1).includes(new URL(url).pathname);
  if (method !== 'GET' || (mode !== 'navigate' && !file)) return;
  const answer = fetch(event.request);
  event.respondWith(answer.catch(() => caches.match(file ? event.request : kept[0])));
});
`;
}
