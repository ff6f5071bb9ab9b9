import type { Secret } from '../../../kit/secret.ts';
import type { SignerConfig } from '../../signing/signer-config.ts';

/** The Platform API of Pi, for payments inside the Pi Browser. */
export type PlatformConfig = {
  /** Base address, without a slash at its end. */
  url: string;
  /** File with the server key of the app. */
  keyFile: Secret;
  /** Address of the script that Pi Browsers load. */
  sdkUrl: string;
  sandbox: boolean;
};

/** The Pi network as the operator configured it. */
export type PiConfig = {
  /** Whether it belongs to test mode: what it shows is booked there, and nowhere else (contract.md#testnets). */
  isTest?: boolean;
  /** Names the network in every signature. */
  passphrase: string;
  /** Base addresses without a slash at their ends, in the order of preference; each serves the same history. */
  horizonUrls: string[];
  /** The custody account, `G...`: all live PI arrives there. */
  account: string;
  /** Base address of a block explorer, without a slash at its end. */
  explorer: string | null;
  /** Null: only plain transfers are taken. */
  platform: PlatformConfig | null;
  /** Null: the gateway only receives. */
  signer: SignerConfig | null;
  /** Page of a simulated wallet: on a demo network alone, and never by the configuration file. */
  walletUrl: string | null;
};

/**
 * The name of a Pi network's rail, in transfers and in the ledger's external account, and the code of the one asset that it
 * has: the network's own coin, with seven decimals.
 */
export type PiCode = 'pi' | 'pi-testnet';
const piCodes: readonly PiCode[] = ['pi', 'pi-testnet'];
export const piScale = 7;

/** The rail and the asset of a Pi network: live money and test money have their own. */
export const piCodeOf = ({ isTest }: Pick<PiConfig, 'isTest'>): PiCode => (isTest ? 'pi-testnet' : 'pi');

/** The Pi networks of an installation: of live mode, and of test mode. */
export type PiNetworks = {
  /** Null: the installation takes no PI. */
  pi: PiConfig | null;
  /** Null or absent: in test mode PI is only simulated. */
  testPi?: PiConfig | null;
};

export const pisOf = ({ pi, testPi = null }: PiNetworks): PiConfig[] =>
  [pi, testPi].filter((each) => each !== null);

export const isPiCode = (code: string): code is PiCode => (piCodes as readonly string[]).includes(code);

type Preset = Pick<PiConfig, 'passphrase' | 'horizonUrls' | 'explorer'>;

/** Pi's own networks; a configuration may name another Horizon or explorer. */
export const piNetworks: Readonly<Record<'mainnet' | 'testnet', Preset>> = {
  mainnet: {
    passphrase: 'Pi Network',
    horizonUrls: ['https://api.mainnet.minepi.com'],
    explorer: 'https://blockexplorer.minepi.com/mainnet',
  },
  testnet: {
    passphrase: 'Pi Testnet',
    horizonUrls: ['https://api.testnet.minepi.com'],
    explorer: 'https://blockexplorer.minepi.com/testnet',
  },
};

export const platformDefaults = {
  url: 'https://api.minepi.com/v2',
  sdkUrl: 'https://sdk.minepi.com/pi-sdk.js',
} as const;
