import { bytesOfText, hexOf } from './bytes.ts';
import { sha256 } from './sha256.ts';

// A Merkle sum tree: each node has a hash and the sum of the balances below it, and its hash covers the sums of both
// children. So a sum that is too small shows in the path of at least one balance.

/** A hash as 64 hexadecimal digits, and a sum in the smallest units of the asset. */
export type TreeNode = { hash: string; sum: bigint };

/** One account's balance of an asset, with a salt of its own that hides both from whoever does not have it. */
export type Leaf = { asset: string; account: string; units: bigint; salt: string };

/** A node beside the way from a leaf to the root. */
export type Sibling = TreeNode & { side: 'left' | 'right' };

const hashed = (...lines: readonly (string | bigint)[]): string =>
  hexOf(sha256(bytesOfText(lines.join('\n'))));

export function leafNode({ asset, account, units, salt }: Leaf): TreeNode {
  return { hash: hashed('florin leaf', asset, account, units, salt), sum: units };
}

export function joinNodes(left: TreeNode, right: TreeNode): TreeNode {
  const hash = hashed('florin node', left.sum, left.hash, right.sum, right.hash);
  return { hash, sum: left.sum + right.sum };
}

/** The root that follows from a leaf and the nodes beside its way up. */
export function climb(leaf: Leaf, siblings: readonly Sibling[]): TreeNode {
  return siblings.reduce(
    (node, { side, ...sibling }) => (side === 'left' ? joinNodes(sibling, node) : joinNodes(node, sibling)),
    leafNode(leaf),
  );
}
