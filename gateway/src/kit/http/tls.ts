import type { Server } from 'node:http';
import type { ServerOptions } from 'node:https';

/** Only ciphers with forward secrecy and authenticated encryption, the best first. */
export const strongTls: ServerOptions = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
};

/** The certificate and its key; `ocsp` returns its issuer's newest statement that it is not revoked. */
export type ServerTls = { cert: Buffer; key: Buffer; ocsp?: () => Promise<Buffer> };

/** Sends that statement to clients in the handshake. Where it cannot be read they get none. */
export function staple(server: Server, ocsp: () => Promise<Buffer>): void {
  type Done = (error: Error | null, word: Buffer | null) => void;
  server.on('OCSPRequest', (_certificate: Buffer, _issuer: Buffer, done: Done) => {
    ocsp().then(
      (word) => done(null, word),
      () => done(null, null),
    );
  });
}
