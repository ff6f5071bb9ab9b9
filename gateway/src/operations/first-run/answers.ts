import { type Static, Type } from 'typebox';
import { setupSteps } from '../../identity/setup/steps.ts';
import { orNull, Time } from '../../kit/http/answers.ts';

// Answers of the first run: of a restore, and of the steps that an operator finishes.

const text = Type.String();
const count = Type.Integer();
const flag = Type.Boolean();

/** `takes_master_key`: false where the environment or a program gives it, which is then not pasted. */
export const RestoreStart = Type.Object({
  takes_master_key: flag,
  master_key_place: text,
  piece_bytes: count,
});
export type RestoreStart = Static<typeof RestoreStart>;

/** `fault`: why the place of BACKUP_TO cannot be read. */
export const RestorePlace = Type.Object({
  place: orNull(text),
  names: Type.Array(text),
  fault: orNull(text),
});
export type RestorePlace = Static<typeof RestorePlace>;

export const UploadedPiece = Type.Object({ file: text, bytes: count });
export type UploadedPiece = Static<typeof UploadedPiece>;

/** `fault`: why nothing was changed. `done.faults`: what is wrong with the ledger, as it was in the backup. */
export const RestoreProgress = Type.Object({
  state: Type.Enum(['none', 'checking', 'loading', 'failed', 'done']),
  progress: orNull(Type.Object({ tables: count, of_tables: count, rows: count })),
  fault: orNull(text),
  done: orNull(Type.Object({ created_at: text, florin: text, tables: count, rows: count, faults: count })),
});
export type RestoreProgress = Static<typeof RestoreProgress>;

/** `value` null: not set, or not shown. `from` null: its default. */
const Setting = Type.Object({ name: text, value: orNull(text), from: orNull(text) });
export type ShownSetting = Static<typeof Setting>;

/** `treasury` null: payments' addresses are derived from a public key. `endpoints`: their hosts, in the order of the configuration. */
const SetupChain = Type.Object({
  ...{ id: count, name: text, is_test: flag, pays_by_hand: flag },
  ...{ treasury: orNull(text), vault: orNull(text), endpoints: Type.Array(text) },
});
export type SetupChain = Static<typeof SetupChain>;

const StepName = Type.Enum([...setupSteps]);

/** The steps in their order, none where no link began the installation. `mails_to` null: there is no mail server. */
export const Setup = Type.Object({
  steps: Type.Array(Type.Object({ step: StepName, done_at: orNull(Time), settings: Type.Array(Setting) })),
  open: count,
  master_key: Type.Object({ place: text, is_file: flag, shown_at: orNull(Time) }),
  chains: Type.Array(SetupChain),
  rate_sources: Type.Array(text),
  mails_to: orNull(text),
});
export type Setup = Static<typeof Setup>;

export const StepDone = Type.Object({ step: StepName });

export const ShownMasterKey = Type.Object({ key: text, id: text });
export type ShownMasterKey = Static<typeof ShownMasterKey>;

/** `client`: whom the gateway takes the browser for. */
export const AddressSeen = Type.Object({
  ...{ scheme: text, host: text, client: text },
  faults: Type.Array(
    Type.Enum([
      'other_address',
      'no_tls',
      'proxy_untrusted',
      'proxy_silent',
      'host_changed',
      'scheme_changed',
    ]),
  ),
});
export type AddressSeen = Static<typeof AddressSeen>;

export const MailCheck = Type.Object({ to: text });

export const EndpointTried = Type.Object({
  ...{ host: text, chain_id: orNull(count), head: orNull(count), head_age_seconds: orNull(count) },
  ...{
    finality: orNull(Type.Enum(['finalized', 'depth'])),
    archive_blocks: orNull(count),
    median_ms: orNull(count),
  },
  faults: Type.Array(Type.Object({ code: text, message: text, todo: text })),
});
export type EndpointTried = Static<typeof EndpointTried>;
