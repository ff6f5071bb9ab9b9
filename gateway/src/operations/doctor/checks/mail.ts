import { openTransport } from '../../../identity/mail/transport.ts';
import type { Reader } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { createSecretHider } from '../../../rails/endpoint-address.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const limitMs = 8_000;

/** Whether the mail server lets this installation in: the connection, its encryption, user and password. No mail is sent. */
export const checkMail: Check = async ({ config: { smtpUrl }, db, isMigrated }) => {
  const given = db && (await isMigrated()) ? await givenUp(db) : [];
  if (smtpUrl === null) return [found('mail', 'none'), ...given];
  return [await tryServer(smtpUrl), ...given];
};

async function tryServer(url: string): Promise<Finding> {
  const { host } = new URL(url);
  const transport = await openTransport(url, { limitMs });
  try {
    await transport.verify();
    return found('mail', 'ok', host);
  } catch (error) {
    const { username, password } = new URL(url);
    const hide = createSecretHider(url);
    // The address has them encoded, and the server's answer may repeat them as they are.
    const plain = [username, password].map(decodeURIComponent).filter((each) => each !== '');
    const said = plain.reduce((text, each) => text.replaceAll(each, '…'), hide((error as Error).message));
    return found('mail', kindOf(error), `${host}: ${said}`);
  } finally {
    transport.close();
  }
}

/** By the codes of the mail library, and those of Node for certificates. */
function kindOf(error: unknown): 'refused' | 'no_tls' | 'unreachable' {
  const code = codeOf(error);
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return 'refused';
  const { message } = error as Error;
  return code === 'ETLS' || /certificate|SSL|TLS/i.test(message) ? 'no_tls' : 'unreachable';
}

async function givenUp(reader: Reader): Promise<Finding[]> {
  const result = await reader.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM emails WHERE failed_at > now() - interval '1 day'",
  );
  const { count } = oneRow(result, 'mails that were given up');
  return count === 0 ? [] : [found('mail', 'given_up', `${count}`)];
}
