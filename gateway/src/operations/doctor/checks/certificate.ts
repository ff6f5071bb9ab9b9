import { isIP } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { publicAddresses } from './ask-address.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const limitMs = 7_000;
const dayMs = 86_400_000;
/** A certificate is renewed before these parts of its life are left, or these days, whichever is shorter. */
const soon = { days: 14, part: 3 };
const close = { days: 3, part: 10 };

/** What a server shows of itself in the handshake. `trust`: why it is not trusted; null: it is. */
type Shown = { certificate: PeerCertificate; trust: string | null; protocol: string };

/** The certificates of the public addresses as anybody is shown them: names, dates and chain. */
export const checkCertificate: Check = async ({ config, now, signal }) => {
  const urls = publicAddresses(config).map(({ address }) => new URL(address));
  const hosts = [...new Set(urls.filter(({ protocol }) => protocol === 'https:').map(({ host }) => host))];
  if (hosts.length === 0) return [found('certificate', 'none')];
  const findings = hosts.map(async (host): Promise<Finding[]> => {
    try {
      return judge(host, await look(host, signal), now());
    } catch (error) {
      return [found('certificate', 'unreachable', `${host}: ${(error as Error).message}`)];
    }
  });
  return (await Promise.all(findings)).flat();
};

function look(host: string, signal: AbortSignal): Promise<Shown> {
  const { hostname, port } = new URL(`https://${host}`);
  const name = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host: name, port: Number.parseInt(port || '443', 10), rejectUnauthorized: false },
      ...(isIP(name) === 0 && { servername: name }),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    const end = (error: Error): void => {
      reject(error);
      socket.destroy();
    };
    const abort = (): void => end(new Error('no handshake in time'));
    signal.addEventListener('abort', abort, { once: true });
    socket.setTimeout(limitMs, abort);
    socket.on('close', () => signal.removeEventListener('abort', abort));
    socket.on('error', end);
    socket.on('secureConnect', () => {
      const trust = socket.authorized ? null : String(socket.authorizationError);
      const protocol = socket.alpnProtocol || 'http/1.1';
      resolve({ certificate: socket.getPeerCertificate(), trust, protocol });
      socket.destroy();
    });
  });
}

/** Faults of the dates and of the name, which are judged here, and not those of the chain. */
const notOfChain = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ALTNAME/;

function judge(host: string, { certificate, trust, protocol }: Shown, now: Date): Finding[] {
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)];
  const leftMs = to - now.getTime();
  const days = Math.floor(leftMs / dayMs);
  const until = `${host}: until ${new Date(to).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const isWithin = (limit: typeof soon) => leftMs < Math.min(limit.days * dayMs, (to - from) / limit.part);
  const faults: Finding[] = [];
  if (leftMs <= 0) faults.push(found('certificate', 'ended', until));
  else if (from > now.getTime())
    faults.push(found('certificate', 'not_yet', `${host}: from ${certificate.valid_from}`));
  else if (isWithin(close)) faults.push(found('certificate', 'about_to_end', until));
  else if (isWithin(soon)) faults.push(found('certificate', 'ends_soon', until));
  const misnamed = checkServerIdentity(
    new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, ''),
    certificate,
  );
  if (misnamed)
    faults.push(found('certificate', 'wrong_name', `${host}: ${certificate.subjectaltname ?? 'no names'}`));
  if (trust !== null && !notOfChain.test(trust))
    faults.push(found('certificate', 'untrusted', `${host}: ${trust}`));
  if (faults.length > 0) return faults;
  return [found('certificate', 'ok', `${until}, ${days} days, ${protocol}`)];
}
