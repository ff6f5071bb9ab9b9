import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { readSecretNow, type Secret, SecretFault } from '../kit/secret.ts';

type Environment = Record<string, string | undefined>;
type Fault = (name: string, why: string) => void;

/**
 * Where the environment says that a secret is: `NAME` holds it, `NAME_FILE` is the path of its file, `NAME_COMMAND` a
 * program that prints it. Null where none is set; two of them are a fault.
 */
export function secretSetting(env: Environment, name: string, fault: Fault): Secret | null {
  const given = [name, `${name}_FILE`, `${name}_COMMAND`].filter((each) => env[each]?.trim());
  const [setting] = given;
  if (setting === undefined) return null;
  if (given.length > 1) fault(given.join(' and '), 'are set, and only one of them may be');
  const text = env[setting]?.trim() ?? '';
  if (setting === name) return { env: name };
  if (setting === `${name}_COMMAND`) return commandOf(text, (why) => fault(setting, why));
  const path = resolve(text);
  return path;
}

/** The secret itself, where it is needed to check the configuration; empty where none is set, or it cannot be read. */
export function secretText(env: Environment, name: string, fault: Fault): string {
  const secret = secretSetting(env, name, fault);
  if (secret === null) return '';
  try {
    return readSecretNow(secret, env);
  } catch (error) {
    if (!(error instanceof SecretFault)) throw error;
    fault(settingOf(name, secret), error.message);
    return '';
  }
}

/** The name of the setting that says where the secret is. */
export function settingOf(name: string, secret: Secret): string {
  if (typeof secret === 'string') return `${name}_FILE`;
  return 'env' in secret ? name : `${name}_COMMAND`;
}

/** A JSON list of program and arguments, or words parted by spaces. No shell reads it. */
function commandOf(text: string, fault: (why: string) => void): Secret {
  if (!text.startsWith('[')) return { command: text.split(/\s+/) };
  try {
    const words = JSON.parse(text) as unknown;
    if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) {
      return { command: words };
    }
  } catch {
    // The same words as for JSON that is no list.
  }
  fault('must be a program with its arguments, or a JSON list of them');
  return { command: [''] };
}

const word = Type.String({ minLength: 1 });

/** The fields of a secret in the configuration file: `key_file`, `key_env` or `key_command` for the name `key`. */
export function secretFields<Name extends string>(name: Name) {
  const fields = {
    [`${name}_file`]: Type.Optional(word),
    [`${name}_env`]: Type.Optional(word),
    [`${name}_command`]: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
  };
  return fields as { [Field in `${Name}_file` | `${Name}_env`]: Type.TOptional<Type.TString> } & {
    [Field in `${Name}_command`]: Type.TOptional<Type.TArray<Type.TString>>;
  };
}

/** What those fields say; null where none is given. `what` names their place: `vault.signer.key`. */
export function secretOf(
  entry: object,
  name: string,
  what: string,
  fault: (why: string) => void,
): Secret | null {
  const fields = entry as Record<string, string | string[] | undefined>;
  const given = ['file', 'env', 'command'].filter((way) => fields[`${name}_${way}`] !== undefined);
  const [way] = given;
  if (way === undefined) return null;
  if (given.length > 1) fault(`has more than one of ${given.map((each) => `${what}_${each}`).join(', ')}`);
  const value = fields[`${name}_${way}`];
  if (way === 'command') return { command: [value ?? ''].flat() };
  if (way === 'env') return { env: `${value}` };
  const path = resolve(`${value}`);
  if (!existsSync(path)) fault(`has a ${what}_file that does not exist`);
  return path;
}
