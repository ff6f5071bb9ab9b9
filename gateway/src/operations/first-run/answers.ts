import { type Static, Type } from 'typebox';
import { setupSteps } from '../../identity/setup/steps.ts';
import { Id, orNull, Time } from '../../kit/http/answers.ts';

// Answers of the first run: of the link, and of the steps that an operator finishes later.

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

/** `value` null: not set, or a secret that is not shown. `from` null: the default. */
const Setting = Type.Object({ name: text, value: orNull(text), from: orNull(text) });
export type ShownSetting = Static<typeof Setting>;

const TriedEndpoint = Type.Object({ chain: count, at: count, host: text });
const ChainPlaces = Type.Object({
  id: count,
  name: text,
  is_test: flag,
  /** Where deposits are moved to; null: derived from a public key. */
  treasury: orNull(text),
  vault: orNull(text),
  has_signer: flag,
  pays_by_hand: flag,
});
export type ChainPlaces = Static<typeof ChainPlaces>;

/** The steps after the first operator, in their order; none: they were never listed. `settings`: what the file and the environment say. */
export const Setup = Type.Object({
  steps: Type.Array(
    Type.Object({ step: Type.Enum([...setupSteps]), done_at: orNull(Time), settings: Type.Array(Setting) }),
  ),
  open: count,
  master_key: Type.Object({ place: text, is_file: flag, id: text, shown_at: orNull(Time) }),
  chains: Type.Array(ChainPlaces),
  endpoints: Type.Array(TriedEndpoint),
  /** The sources that are asked for rates. */
  rate_sources: Type.Array(text),
  sends_mail: flag,
});
export type Setup = Static<typeof Setup>;

export const StepDone = Type.Object({ step: Type.Enum([...setupSteps]) });

export const ShownMasterKey = Type.Object({ key: text, id: text });
export type ShownMasterKey = Static<typeof ShownMasterKey>;

/** `url`: what the browser calls, through the public address. */
export const AddressCheck = Type.Object({ id: Id, url: text });
export type AddressCheck = Static<typeof AddressCheck>;

export const AddressSeen = Type.Object({
  scheme: orNull(text),
  host: orNull(text),
  client: orNull(text),
  faults: Type.Array(
    Type.Object({
      code: Type.Enum(['unseen', 'host', 'scheme', 'plain', 'proxy_untrusted', 'proxy_silent']),
      setting: orNull(text),
    }),
  ),
});
export type AddressSeen = Static<typeof AddressSeen>;

export const MailCheck = Type.Object({ id: Id, to: text });

const TrialFault = Type.Object({ code: text, message: text, todo: text });
export const EndpointTrialAnswer = Type.Object({
  host: text,
  chain_id: orNull(count),
  head: orNull(count),
  head_age_seconds: orNull(count),
  finality: orNull(Type.Enum(['finalized', 'depth'])),
  archive_blocks: orNull(count),
  median_ms: orNull(count),
  faults: Type.Array(TrialFault),
});
export type EndpointTrialAnswer = Static<typeof EndpointTrialAnswer>;
