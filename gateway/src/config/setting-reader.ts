import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Secret } from '../kit/secret.ts';
import { secretSetting, secretText } from './secrets.ts';
import { settings } from './settings.ts';

export type Environment = Record<string, string | undefined>;

export type Fault = (name: string, why: string) => void;

/** Reads settings of the environment one by one, and collects what is wrong with them in `faults`. */
export type SettingReader = ReturnType<typeof settingReader>;

export function settingReader(env: Environment) {
  const faults: string[] = [];
  const fallbacks = new Map(settings.map(({ name, fallback }) => [name, fallback]));
  const text = (name: string): string => env[name]?.trim() || (fallbacks.get(name) ?? '');
  const fault = (name: string, why: string): void => {
    faults.push(`${name} ${why}`);
  };
  const port = (name: string): number => {
    const value = /^\d{1,5}$/.test(text(name)) ? Number.parseInt(text(name), 10) : -1;
    if (value < 1 || value > 65_535) fault(name, 'must be a port number from 1 to 65535');
    return value;
  };
  const flag = (name: string): boolean => {
    if (!/^[01]?$/.test(text(name))) fault(name, 'must be 0 or 1');
    return text(name) === '1';
  };
  const listening = (name: string): string => {
    const value = text(name);
    if (!isIP(value) && value !== 'localhost') fault(name, 'must be an IP address or localhost');
    return value;
  };
  const days = (name: string, least: number): number => {
    const value = /^\d{1,5}$/.test(text(name)) ? Number.parseInt(text(name), 10) : -1;
    if (value < least) fault(name, `must be a number of days, ${least} at least`);
    return value;
  };
  const file = (name: string): string => {
    const path = text(name) && resolve(text(name));
    if (path && !existsSync(path)) fault(name, 'names a file that does not exist');
    return path;
  };
  const url = (name: string, pattern: RegExp, value = text(name)): string => {
    if (value && !(pattern.test(value) && URL.canParse(value))) fault(name, 'is not a valid address');
    return value.replace(/\/$/, '');
  };

  const secret = (name: string): Secret | null => {
    const found = secretSetting(env, name, fault);
    if (typeof found === 'string' && !existsSync(found)) {
      fault(`${name}_FILE`, 'names a file that does not exist');
    }
    return found;
  };
  // TLS_KEY itself may hold a path, as it did before TLS_KEY_FILE was there.
  const tlsKey = (): Secret | null => {
    const path = text('TLS_KEY');
    return path && !path.startsWith('-----BEGIN') ? file('TLS_KEY') : secret('TLS_KEY');
  };
  /** A secret that is made when its file does not exist. */
  const ownSecret = (name: string): Secret | null => secretSetting(env, name, fault);
  /** The text of a secret; empty when none is set. */
  const revealed = (name: string): string => secretText(env, name, fault);
  return { faults, fault, text, port, flag, listening, days, file, url, secret, tlsKey, ownSecret, revealed };
}
