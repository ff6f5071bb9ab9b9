import { Type } from 'typebox';
import type { SetupCalls } from '../../identity/console/setup/setup-calls.ts';
import { setupTokenHash } from '../../identity/setup/setup-link.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { invalid } from '../../kit/http/fields.ts';
import { nameOfSecret, type Secret } from '../../kit/secret.ts';
import { identitiesIn } from '../backup/encrypt.ts';
import { assertFile } from '../backup/path.ts';
import { RestorePlace, RestoreProgress, RestoreStart, UploadedPiece } from './answers.ts';
import type { Restorer } from './restorer.ts';
import { openUploads, pieceBytes } from './uploads.ts';

type RestoreRouteDeps = {
  restorer: Restorer;
  config: { dataDir: string; masterKey: Secret };
};

const PieceBody = Type.Object({
  /** Left out for the first piece. */
  file: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  piece: Type.String({ maxLength: Math.ceil(pieceBytes / 3) * 4 }),
});
const RestoreBody = Type.Object({
  /** What was sent before, or the path of a file of the server. */
  file: Type.Optional(Type.String({ maxLength: 40, format: 'text' })),
  path: Type.Optional(Type.String({ maxLength: 1000, format: 'text' })),
  master_key: Type.Optional(Type.String({ maxLength: 20_000, format: 'text' })),
  identity: Type.Optional(Type.String({ maxLength: 20_000, format: 'text' })),
});

/** Restoring a backup in place of a new installation, by the link of the first run (contract.md#first-run). */
export function restoreRoutes(post: SetupCalls, { restorer, config }: RestoreRouteDeps): void {
  const uploads = openUploads(config.dataDir);
  const { masterKey } = config;

  post('/restore/terms', { body: Type.Object({}), answer: RestoreStart }, async () => ({
    message: 'What a restore needs',
    data: {
      takes_master_key: typeof masterKey === 'string',
      master_key_place: nameOfSecret(masterKey),
      piece_bytes: pieceBytes,
    },
  }));

  post('/restore/place', { body: Type.Object({}), answer: RestorePlace }, async () => ({
    message: 'Backups in the place of BACKUP_TO',
    data: await placedIn(restorer),
  }));

  const bodyLimitBytes = Math.ceil(pieceBytes / 3) * 4 + 1024;
  post('/restore/piece', { body: PieceBody, answer: UploadedPiece, bodyLimitBytes }, async (input) => {
    const { name, bytes } = await uploads.add(
      input.file ?? null,
      input.at,
      Buffer.from(input.piece, 'base64'),
    );
    return { message: 'Piece kept', data: { file: name, bytes } };
  });

  post('/restore', { body: RestoreBody, answer: Nothing }, async (input, { token }) => {
    const path = input.file === undefined ? input.path : uploads.pathOf(input.file);
    if (path === undefined) throw invalid('path', 'is required');
    if (path.startsWith('/')) {
      await assertFile(path).catch((error: Error) => {
        throw invalid('path', `cannot be used: ${error.message}`);
      });
    } else if (!(await placedIn(restorer)).names.includes(path))
      throw invalid('path', 'must be the whole path of a file on the server');
    const order = {
      tokenHash: setupTokenHash(token),
      path,
      identities: identitiesIn(input.identity ?? ''),
      masterKey: input.master_key?.trim() || null,
    };
    if (!(await restorer.begin(order))) throw invalid('file', 'waits: another restore is under way');
    return { message: 'The restore has begun', data: null };
  });

  // Asked while the tables are locked, so it is answered from memory for the link that began it.
  const knows = async (token: string) => (await restorer.state())?.tokenHash === setupTokenHash(token);
  post('/restore/state', { body: Type.Object({}), answer: RestoreProgress, knows }, async () => {
    const state = await restorer.state();
    const { progress } = state ?? {};
    return {
      message: 'How far the restore is',
      data: {
        state: state?.state ?? ('none' as const),
        progress: progress
          ? { tables: progress.tables, of_tables: progress.ofTables, rows: progress.rows }
          : null,
        fault: state?.fault ?? null,
        done: state?.done ?? null,
      },
    };
  });
}

async function placedIn(restorer: Restorer): Promise<RestorePlace> {
  try {
    return { place: null, names: [], fault: null, ...(await restorer.placed()) };
  } catch (error) {
    return { place: null, names: [], fault: error instanceof Error ? error.message : String(error) };
  }
}
