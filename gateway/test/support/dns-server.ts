import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import type { Resolve } from '../../src/kit/net/safe-fetch.ts';

/** A DNS server on this machine; names that it does not know do not exist. No answer may be kept (TTL 0). */
export type DnsServer = {
  port: number;
  /** TXT records by name. */
  records: Map<string, string[]>;
  /** IPv4 and IPv6 addresses by name: the first query of a kind gets the first list, later ones the next, then the last. */
  addresses: Map<string, string[][]>;
  /** The name that another one stands for (CNAME). */
  aliases: Map<string, string>;
  /** Every question, as `A shop.example`. */
  asked: string[];
  close(): Promise<void>;
};

const headerBytes = 12;
const noSuchName = 3;
const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof types;
type Answer = { owner: string; type: RecordType; data: Buffer };

export async function startDnsServer(): Promise<DnsServer> {
  const records: DnsServer['records'] = new Map();
  const addresses: DnsServer['addresses'] = new Map();
  const aliases: DnsServer['aliases'] = new Map();
  const asked: string[] = [];

  function answersTo(name: string, type: RecordType): Answer[] | null {
    const alias = aliases.get(name);
    if (alias !== undefined) {
      const chain: Answer = { owner: name, type: 'CNAME', data: nameBytes(alias) };
      return [chain, ...(answersTo(alias, type) ?? [])];
    }
    if (type === 'TXT') {
      return records.get(name)?.map((text) => ({ owner: name, type, data: textBytes(text) })) ?? null;
    }
    const lists = addresses.get(name);
    if (!lists) return null;
    const times = asked.filter((question) => question === `${type} ${name}`).length;
    const list = lists[Math.min(Math.max(times, 1), lists.length) - 1]!;
    const fitting = list.filter((address) => address.includes(':') === (type === 'AAAA'));
    return fitting.map((address) => ({
      owner: name,
      type,
      data: Buffer.from(ipaddr.parse(address).toByteArray()),
    }));
  }

  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameAt(query, headerBytes);
    const wanted = query.readUInt16BE(end);
    const type = (Object.keys(types) as RecordType[]).find((each) => types[each] === wanted);
    const asName = name.toLowerCase();
    asked.push(`${type} ${asName}`);
    // The question ends with its type and class, two bytes each.
    const question = query.subarray(headerBytes, end + 4);
    const answers = type ? answersTo(asName, type) : null;
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (answers ? 0 : noSuchName), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers?.length ?? 0, 6);
    socket.send(Buffer.concat([header, question, ...(answers ?? []).map(answerBytes)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    records,
    addresses,
    aliases,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Resolves names by that server, each to all of its addresses of both kinds, as the system's resolver does. */
export function resolveBy({ port }: DnsServer): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((answer, at) => {
      if (answer.status === 'rejected') return [];
      return answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }));
    });
  };
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!));
    at += 1 + message[at]!;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

/** A long text comes in pieces of up to 255 bytes. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  return Buffer.concat(pieces);
}

function answerBytes({ owner, type, data }: Answer): Buffer {
  const head = Buffer.from('00000001000000000000', 'hex');
  head.writeUInt16BE(types[type], 0);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(owner), head, data]);
}
