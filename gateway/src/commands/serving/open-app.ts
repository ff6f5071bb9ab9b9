import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type App, type AppDeps, createApp } from '../../app.ts';
import { type Config, ConfigError } from '../../config/config.ts';
import { settingOf } from '../../config/secrets.ts';
import { systemClock } from '../../kit/clock.ts';
import { untilAnswered } from '../../kit/db/until-answered.ts';
import { createQuietHeap } from '../../kit/quiet-heap.ts';
import { readSecret, type Secret, type SecretFault } from '../../kit/secret.ts';
import type { Traces } from '../../kit/trace.ts';
import { openSeal } from '../../operations/master-key.ts';
import { florinVersion } from '../../operations/version.ts';
import type { Role } from './options.ts';

const readyPollMs = 20;
const waitingLineMs = 10_000;
/** A start that takes longer is a fault, and not a busy machine. */
const slowMs = 60_000;
const quietMs = 10_000;

type Given = 'config' | 'db' | 'connection' | 'migrations' | 'shopUrl' | 'faucet' | 'restorer' | 'log';

/** What a process needs to be a gateway, and what it shares if it is one of several. */
export type OpenAppDeps = Pick<AppDeps, Given | 'openBuckets' | 'worker' | 'isClosed'> & {
  role: Role;
  /** Called once there is something to close. */
  onOpen: (app: App) => void;
};

/** Builds the gateway in this process and starts the part of it that its role has; resolves when it is ready. */
export async function openApp({ role, onOpen, ...deps }: OpenAppDeps): Promise<App> {
  const { config } = deps;
  const ocspFile = config.tls?.ocspFile;
  const seal = await untilAnswered(deps.log, 'open the master keys', () =>
    openSeal(deps.db, config.masterKey),
  );
  const app = await createApp({
    ...deps,
    seal,
    masterKeys: seal,
    walletBackendToken: config.walletBackend
      ? await secretOf('WALLET_BACKEND_TOKEN', config.walletBackend.token)
      : '',
    kycProvider: config.kyc && {
      url: config.kyc.url,
      secret: await secretOf('KYC_SECRET', config.kyc.secret),
    },
    ...(config.tls
      ? {
          tls: {
            cert: await readFile(config.tls.certFile),
            key: Buffer.from(await secretOf('TLS_KEY', config.tls.key)),
            ...(ocspFile && { ocsp: () => readFile(ocspFile) }),
          },
        }
      : {}),
    traces: await tracesOf(config, deps.log),
    now: systemClock,
  });
  onOpen(app);
  if (role !== 'worker') await app.server.listen(placeOf(config, deps.worker !== undefined));
  app.startWorkers(role === 'api' ? 'own' : 'all');
  await untilReady(app, deps.log);
  const releaseHeap = createQuietHeap();
  setInterval(() => void releaseHeap(), quietMs).unref();
  return app;
}

/** OpenTelemetry is loaded only where something is traced: it takes time and memory. */
async function tracesOf({ traces }: Config, log: Logger): Promise<Traces | undefined> {
  if (!traces) return undefined;
  const { openTraces } = await import('../../kit/open-traces.ts');
  return openTraces(traces, florinVersion(), log);
}

/**
 * Where the process listens. On Linux each worker gets its connections from the system: node:cluster would hand them to the
 * workers in turn, and a connection that is handed to a killed worker hangs for ever.
 */
function placeOf({ host, port }: Config, isWorker: boolean) {
  return { host, port, ...(isWorker && process.platform === 'linux' && { reusePort: true }) };
}

/** Waits until the gateway is ready, and logs for what it waits. */
async function untilReady({ server }: App, log: Logger): Promise<void> {
  const ask = () => server.inject({ method: 'GET', url: '/ready' });
  const begunMs = performance.now();
  let saidMs = begunMs;
  for (let answer = await ask(); answer.statusCode !== 200; answer = await ask()) {
    if (performance.now() - saidMs >= waitingLineMs) {
      saidMs = performance.now();
      const level = saidMs - begunMs < slowMs ? 'info' : 'warn';
      log[level]({ for: answer.json<{ for: string[] }>().for }, 'the gateway is not ready yet: it waits');
    }
    await new Promise((resolve) => setTimeout(resolve, readyPollMs));
  }
}

/** Throws ConfigError, which names the setting, when the secret cannot be read. */
async function secretOf(setting: string, secret: Secret): Promise<string> {
  return await readSecret(secret).catch((fault: SecretFault) => {
    throw new ConfigError([`${settingOf(setting, secret)} ${fault.message}`]);
  });
}
