import { createHmac } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { joinNodes, type Leaf, leafNode, type Sibling, type TreeNode } from '../../../../web/proof/tree.ts';

/** The nodes of a row of the database, and the levels between two rows: a path of a million leaves reads four rows. */
const chunkLevels = 6;
const chunkSize = 2 ** chunkLevels;
/** After so many nodes other work of the process goes on. */
const pauseNodes = 1_024;
const nodeBytes = 64;
/** Of 32 bytes. */
const hexDigits = 64;

/** A row of nodes of one level; level 0 has the leaves. */
type Chunk = { level: number; chunk: number; nodes: Buffer };

/** `places`: where each of the leaves that were given is among those of the tree. */
export type Tree = { root: TreeNode; chunks: Chunk[]; places: number[] };

/** The salt of an account's leaf; an empty `account` with a number stands for a leaf of nobody. */
export function saltOf(seed: Buffer, asset: string, account: string): string {
  return createHmac('sha256', seed).update(`${asset}\n${account}`).digest('hex');
}

/**
 * Builds the tree of an asset. Leaves of nobody, of 0 units, fill it up to a power of two, and all are in the order of their
 * hashes: so neither a place nor the number of leaves says anything about accounts. It lets other work of the process go on.
 */
export async function buildTree(seed: Buffer, asset: string, leaves: readonly Leaf[]): Promise<Tree> {
  const size = 2 ** Math.ceil(Math.log2(Math.max(leaves.length, 1)));
  const entries: { node: TreeNode; leaf: number }[] = [];
  for (let at = 0; at < size; at++) {
    if (at % pauseNodes === 0) await pause();
    const leaf = leaves[at] ?? { asset, account: '', units: 0n, salt: saltOf(seed, asset, `-${at}`) };
    entries.push({ node: leafNode(leaf), leaf: at });
  }
  entries.sort((one, other) => (one.node.hash < other.node.hash ? -1 : 1));
  const places: number[] = [];
  for (const [place, { leaf }] of entries.entries()) if (leaf < leaves.length) places[leaf] = place;
  return { ...(await build(entries.map(({ node }) => node))), places };
}

async function build(leaves: readonly TreeNode[]): Promise<{ root: TreeNode; chunks: Chunk[] }> {
  const chunks: Chunk[] = [];
  let nodes = leaves;
  for (let level = 0; ; level += chunkLevels) {
    const above: TreeNode[] = [];
    for (let from = 0; from < nodes.length; from += chunkSize) {
      if (from % pauseNodes === 0) await pause();
      const part = nodes.slice(from, from + chunkSize);
      chunks.push({ level, chunk: from / chunkSize, nodes: Buffer.concat(part.map(bytesOf)) });
      above.push(rootOf(part));
    }
    const [root] = above;
    if (root && above.length === 1) return { root, chunks };
    nodes = above;
  }
}

function rootOf(nodes: readonly TreeNode[]): TreeNode {
  let layer = nodes;
  while (layer.length > 1) layer = layerAbove(layer);
  return at(layer, 0);
}

function layerAbove(layer: readonly TreeNode[]): TreeNode[] {
  return Array.from({ length: layer.length / 2 }, (_, n) =>
    joinNodes(at(layer, 2 * n), at(layer, 2 * n + 1)),
  );
}

function at(layer: readonly TreeNode[], place: number): TreeNode {
  const node = layer[place];
  if (!node) throw new Error(`A tree has no node ${place} in a layer of ${layer.length}`);
  return node;
}

/** Reads the chunk of a level; null: the tree does not reach so high. */
type ReadChunk = (level: number, chunk: number) => Promise<Buffer | null>;

/** The nodes beside the way from the leaf at a place to the root. */
export async function siblingsOf(place: number, read: ReadChunk): Promise<Sibling[]> {
  const siblings: Sibling[] = [];
  for (let [level, here] = [0, place]; ; level += chunkLevels, here = Math.floor(here / chunkSize)) {
    const bytes = await read(level, Math.floor(here / chunkSize));
    if (!bytes) return siblings;
    let [layer, inside] = [nodesIn(bytes), here % chunkSize];
    while (layer.length > 1) {
      const isLeft = inside % 2 === 1;
      siblings.push({ side: isLeft ? 'left' : 'right', ...at(layer, isLeft ? inside - 1 : inside + 1) });
      [layer, inside] = [layerAbove(layer), Math.floor(inside / 2)];
    }
  }
}

function bytesOf({ hash, sum }: TreeNode): Buffer {
  return Buffer.from(`${hash}${sum.toString(16).padStart(hexDigits, '0')}`, 'hex');
}

function nodesIn(bytes: Buffer): TreeNode[] {
  return Array.from({ length: bytes.length / nodeBytes }, (_, n) => {
    const hex = bytes.toString('hex', n * nodeBytes, (n + 1) * nodeBytes);
    return { hash: hex.slice(0, hexDigits), sum: BigInt(`0x${hex.slice(hexDigits)}`) };
  });
}
