import { resolve } from 'node:path';
import type { Secret } from '../kit/secret.ts';
import type { SettingReader } from './setting-reader.ts';

/** Where backups are kept: the setting BACKUP_TO. */
export type PlaceAddress = { kind: 'directory'; path: string } | BucketAddress;

/** A bucket of S3, or of what speaks its protocol. */
export type BucketAddress = {
  kind: 's3';
  /** `s3://bucket/prefix` */
  name: string;
  /** The address that the bucket's files lie under: `https://bucket.s3.eu-central-1.amazonaws.com`. */
  root: string;
  /** What the names of files begin with, without slashes at its ends; empty: nothing. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: Secret;
  sessionToken: Secret | null;
};

/** A place without secrets, for people and records: its directory, or `s3://bucket/prefix`. */
export function placeName(place: PlaceAddress): string {
  return place.kind === 's3' ? place.name : place.path;
}

/** How many days, weeks and months keep their newest backup. */
export type Keep = { days: number; weeks: number; months: number };

/** The settings of scheduled backups. */
export type BackupsConfig = {
  to: PlaceAddress;
  /** The time of day, in minutes after midnight in UTC. */
  atMinute: number;
  keep: Keep;
  /** Public keys of age, one of whose identities can read a backup; empty: backups are not encrypted. */
  recipients: string[];
  /** A backup is tried when none was for so many days; 0: never. */
  drillDays: number;
  /** Whether the WAL of an embedded database is kept too. */
  isWalKept: boolean;
};

const recipientPattern = /^age1[02-9ac-hj-np-z]{58}$/;
const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const prefixPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Reads BACKUP_TO and what belongs to it; null: there are no scheduled backups. */
export function readBackups(read: SettingReader): BackupsConfig | null {
  const { fault, text } = read;
  const to = readPlace(read);
  const config = {
    atMinute: minuteOf(text('BACKUP_AT'), (why) => fault('BACKUP_AT', why)),
    keep: keepOf(text('BACKUP_KEEP'), (why) => fault('BACKUP_KEEP', why)),
    recipients: text('BACKUP_RECIPIENT')
      .split(/[\s,]+/)
      .filter((each) => each !== ''),
    drillDays: read.days('BACKUP_DRILL', 0),
    isWalKept: read.flag('BACKUP_WAL'),
  };
  if (!config.recipients.every((each) => recipientPattern.test(each)))
    fault('BACKUP_RECIPIENT', 'must be one or more public keys of age (age1…), separated by spaces');
  if (to === null) return null;
  // Whoever runs the bucket could read names, addresses and mails of customers.
  if (to.kind === 's3' && config.recipients.length === 0)
    fault('BACKUP_RECIPIENT', 'is required where BACKUP_TO is a bucket: florin backup key makes one');
  return { to, ...config };
}

function readPlace(read: SettingReader): PlaceAddress | null {
  const to = read.text('BACKUP_TO');
  if (to === '') return null;
  return to.startsWith('s3:') ? readBucket(to, read) : { kind: 'directory', path: resolve(to) };
}

function readBucket(to: string, { fault, text, url, secret }: SettingReader): BucketAddress {
  const [, bucket = '', slashed = ''] = bucketPattern.exec(to) ?? [];
  const prefix = slashed.replace(/\/+$/, '');
  if (bucket === '' || (prefix !== '' && !prefixPattern.test(prefix)))
    fault('BACKUP_TO', 'must be a directory, or a bucket as s3://bucket or s3://bucket/prefix');
  const region = text('AWS_REGION');
  const endpoint = url('BACKUP_S3_ENDPOINT', /^https?:\/\/[^/?#]+\/?$/);
  const [accessKeyId, secretAccessKey] = [text('AWS_ACCESS_KEY_ID'), secret('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === '' || secretAccessKey === null)
    fault('AWS_ACCESS_KEY_ID', 'and AWS_SECRET_ACCESS_KEY_FILE are required where BACKUP_TO is a bucket');
  return {
    kind: 's3',
    name: `s3://${bucket}${prefix && `/${prefix}`}`,
    root: endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`,
    prefix,
    region,
    accessKeyId,
    secretAccessKey: secretAccessKey ?? '',
    sessionToken: secret('AWS_SESSION_TOKEN'),
  };
}

const whole = (digits: string): number => Number.parseInt(digits, 10);

function minuteOf(text: string, fault: (why: string) => void): number {
  const [, hour = '', minute = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minute === '') fault('must be a time of day in UTC, such as 02:00');
  return whole(hour) * 60 + whole(minute);
}

/** `7d 4w 12m`, in any order; what is left out is 0. */
function keepOf(text: string, fault: (why: string) => void): Keep {
  const parts = text.split(/[\s,]+/).map((each) => /^(\d{1,4})([dwm])$/.exec(each));
  const units = parts.map((part) => part?.[2]);
  if (parts.includes(null) || new Set(units).size < units.length)
    fault('must say how many days, weeks and months keep a backup, such as 7d 4w 12m');
  const of = (unit: string): number => whole(parts.find((part) => part?.[2] === unit)?.[1] ?? '0');
  return { days: of('d'), weeks: of('w'), months: of('m') };
}
