import { ConfigError, readConfig } from '../config/config.ts';
import { nameOfSecret, type Secret } from '../kit/secret.ts';
import { openSources } from '../rates/sources/known.ts';

/** Checks the configuration of this environment and shows it; returns the exit code. */
export function showConfig(env: NodeJS.ProcessEnv): number {
  try {
    const { database, assets, chains, smtpUrl, telegram, rates, walletBackend, kyc, ...rest } =
      readConfig(env);
    // An address may contain a password, so only its host is shown.
    const shown = {
      ...rest,
      database: database.kind,
      assets: assets.all.map(({ code }) => code),
      chains: chains.map(({ rpcUrls, ...chain }) => ({
        ...chain,
        rpc: rpcUrls.map((url) => new URL(url).host),
      })),
      smtp: smtpUrl && new URL(smtpUrl).host,
      telegram: telegram && new URL(telegram.apiUrl).host,
      walletBackend: walletBackend && new URL(walletBackend.url).host,
      kyc: kyc && new URL(kyc.url).host,
      rates: rates.kind === 'sources' ? openSources(rates.sources).map(({ name }) => name) : rates.usd,
    };
    process.stdout.write(`${JSON.stringify(shown, withoutArguments, 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** The arguments of a program that prints a secret may hold one too. */
function withoutArguments(_: string, value: unknown): unknown {
  const isProgram = typeof value === 'object' && value !== null && 'command' in value;
  return isProgram ? nameOfSecret(value as Secret) : value;
}
