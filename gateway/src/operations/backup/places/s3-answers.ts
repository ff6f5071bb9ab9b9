import type { Placed } from './types.ts';

// What S3 answers is XML of one form, without attributes or sections that matter here.

const marks: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return marks[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16));
  });
}

/** The text of the first element of this name; empty without one. */
export function textOf(xml: string, name: string): string {
  return plain(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');
}

/** The fault that an answer tells of; an empty code: none. */
export function faultIn(xml: string): { code: string; message: string } {
  const fault = /<Error>([\s\S]*)<\/Error>/.exec(xml)?.[1] ?? '';
  return { code: textOf(fault, 'Code'), message: textOf(fault, 'Message') };
}

/** The files of a page of a list, by their whole names, and whether it is the last page. */
export function filesIn(xml: string): { files: Placed[]; isLast: boolean } {
  const files = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, file = '']) => ({
    path: textOf(file, 'Key'),
    bytes: Number.parseInt(textOf(file, 'Size'), 10),
    at: new Date(textOf(file, 'LastModified')),
  }));
  return { files, isLast: textOf(xml, 'IsTruncated') !== 'true' };
}
