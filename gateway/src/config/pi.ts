import { type Static, Type } from 'typebox';
import { isAccount } from '../rails/pi/horizon/account.ts';
import { type PiConfig, piNetworks, platformDefaults } from '../rails/pi/horizon/network.ts';
import { secretFields, secretOf } from './secrets.ts';
import { readSigner, signerFields } from './signer.ts';

const WebAddress = Type.String({ pattern: '^https?://[^?#]+$', maxLength: 2048 });
const closed = { additionalProperties: false };

/** A Pi network of the configuration file, of live mode or with `test` of test mode. What is left out for Pi's own networks comes from their presets. */
export const PiEntry = Type.Object(
  {
    test: Type.Optional(Type.Boolean()),
    network: Type.Optional(Type.Enum(['mainnet', 'testnet'])),
    passphrase: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    horizon: Type.Optional(Type.Array(WebAddress, { minItems: 1, maxItems: 5 })),
    account: Type.String(),
    explorer: Type.Optional(WebAddress),
    platform: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(WebAddress),
          ...secretFields('key'),
          sdk_url: Type.Optional(WebAddress),
          sandbox: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    signer: Type.Optional(Type.Object(signerFields, closed)),
  },
  closed,
);

type Entry = Static<typeof PiEntry>;

type Fault = (name: string, why: string) => void;

/** Reads the Pi networks of the configuration file, one of each mode at most, and reports every fault of them. */
export function readPis(
  entries: readonly Entry[],
  report: Fault,
): { pi: PiConfig | null; testPi: PiConfig | null } {
  const [test = [], live = []] = [true, false].map((isTest) =>
    entries.filter((entry) => (entry.test ?? false) === isTest),
  );
  if (live.length > 1)
    report('CONFIG_FILE', 'pi has two entries of live mode: one of them needs "test": true');
  if (test.length > 1) report('CONFIG_FILE', 'pi has two entries of test mode, and can have one only');
  const read = (entry: Entry | undefined) => (entry ? readPi(entry, report) : null);
  return { pi: read(live[0]), testPi: read(test[0]) };
}

function readPi(entry: Entry, report: Fault): PiConfig {
  const fault = (why: string) => report('CONFIG_FILE', `pi ${entry.test ? 'of test mode ' : ''}${why}`);
  if ((entry.network === undefined) === (entry.passphrase === undefined)) {
    fault('needs a network, mainnet or testnet, or the passphrase of one of your own, and not both');
  }
  const preset = entry.network && piNetworks[entry.network];
  const horizonUrls = (entry.horizon ?? preset?.horizonUrls ?? []).map(trim);
  if (horizonUrls.length === 0) fault('needs the address of a Horizon server');
  if (!horizonUrls.every((url) => URL.canParse(url))) fault('has a Horizon address that is not valid');
  if (new Set(horizonUrls).size < horizonUrls.length) fault('has one Horizon address twice');
  if (!isAccount(entry.account))
    fault('has an account that is not valid: an account begins with G and has a checksum');
  const passphrase = entry.passphrase ?? preset?.passphrase ?? '';
  if (entry.test && passphrase === piNetworks.mainnet.passphrase) {
    fault('is the network of real money, and cannot be in test mode');
  }
  const explorer = entry.explorer ?? preset?.explorer ?? null;
  return {
    ...(entry.test ? { isTest: true } : {}),
    passphrase,
    horizonUrls,
    account: entry.account,
    explorer: explorer === null ? null : trim(explorer),
    platform: readPlatform(entry, fault),
    signer: entry.signer ? readSigner(entry.signer, 'signer', fault) : null,
    walletUrl: null,
  };
}

function readPlatform({ platform }: Entry, fault: (why: string) => void): PiConfig['platform'] {
  if (!platform) return null;
  const key = secretOf(platform, 'key', 'platform.key', fault);
  if (key === null) fault('has a platform that needs a key: key_file, key_env or key_command');
  return {
    url: trim(platform.url ?? platformDefaults.url),
    keyFile: key ?? '',
    sdkUrl: platform.sdk_url ?? platformDefaults.sdkUrl,
    sandbox: platform.sandbox ?? false,
  };
}

const trim = (url: string): string => url.replace(/\/$/, '');
