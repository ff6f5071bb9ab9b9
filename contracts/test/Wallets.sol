// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Wallets that are contracts, for tests: what each answers when it is asked for its owner's signature (EIP-1271).

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

/// @title The wallet of one key, which signs what wallets sign (EIP-191), or allows a hash on the chain
contract OwnedWallet {
    address public immutable owner;
    mapping(bytes32 hash => bool) public allowed;

    constructor(address owner_) {
        owner = owner_;
    }

    function allow(bytes32 hash) external {
        allowed[hash] = true;
    }

    function send(IToken token, address to, uint256 value) external {
        token.transfer(to, value);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view virtual returns (bytes4) {
        if (signature.length == 0) return allowed[hash] ? this.isValidSignature.selector : bytes4(0xffffffff);
        require(signature.length == 65, "not a signature");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        bool isOwners = ecrecover(hash, uint8(signature[64]), r, s) == owner;
        return isOwners ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @title Answers every question with one word of its own, as much of it as it is told
contract SayingWallet {
    bytes public word;

    constructor(bytes memory word_) {
        word = word_;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return word;
    }
}

/// @title Never comes to an end
contract EndlessWallet {
    uint256 private count;

    fallback() external {
        while (true) ++count;
    }
}
