// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of ERC-20 that splitting needs.
interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @notice The part of ForwarderFactory that splitting needs.
interface Forwarders {
    function addressOf(address destination, bytes32 payment) external view returns (address);
    function sweep(address token, address destination, bytes32[] calldata payments) external;
}

/// @title What stands behind every splitter
/// @notice Each splitter is a proxy of this one contract. It holds what is to be divided between a merchant and a
/// host, and pays what its factory names. It has no owner, no storage and no other call.
contract Splitter {
    /// @dev Part of the code, so it is the same for every proxy; nobody can change it.
    address private immutable factory = msg.sender;

    /// @notice Only the factory, which knows the two sides of each splitter, may ask for money.
    error OnlyFactory();
    /// @notice The token or the receiver refused, or something else than `amount` left.
    error TransferFailed();

    /// @notice Sends `amount` of `token` (the zero address: the native coin) from here to `to`. Reverts unless exactly
    /// that much is gone afterwards.
    function pay(address token, address to, uint256 amount) external {
        if (msg.sender != factory) revert OnlyFactory();
        uint256 before = balanceOf(token);
        bool sent;
        if (token == address(0)) (sent, ) = to.call{value: amount}("");
        else (sent, ) = token.call(abi.encodeCall(Token.transfer, (to, amount)));
        // What a token answers says less than the balance: some answer nothing, some only say that they paid. And a
        // receiver that releases again while it is paid makes another sum leave.
        if (!sent || balanceOf(token) != before - amount) revert TransferFailed();
    }

    function balanceOf(address token) private view returns (uint256) {
        return token == address(0) ? address(this).balance : Token(token).balanceOf(address(this));
    }
}

/// @title One splitter for each merchant, host and percentage, without a key
/// @notice The address of a splitter follows from this contract, the merchant's address, the host's and the basis
/// points alone. Anybody may release what it holds, at their own cost: the host gets floor(held * points / 10000), the
/// merchant all the rest, and nobody anything else. Nothing here is stored, owned, paused or upgraded.
contract SplitterFactory {
    /// @param merchant gets the rest, and what rounding leaves
    /// @param host gets the basis points
    /// @param basisPoints hundredths of a percent, 0 to 9999
    struct Split {
        address merchant;
        address host;
        uint256 basisPoints;
    }

    /// @notice The factory of deposit addresses: the same on every chain.
    Forwarders public constant FORWARDERS = Forwarders(0x2158bC18268f69579527B7EE9781262ef8874155);

    /// @notice What every splitter delegates to.
    address public immutable implementation = address(new Splitter());

    /// @dev The hash of what `deploy` deploys, which every address follows from.
    bytes32 private immutable proxyHash = keccak256(proxyCode(implementation));

    /// @notice The gas that one transfer may use, so that a side that burns all it gets cannot hold up the other.
    uint256 public constant GAS_EACH = 1_000_000;
    /// @notice The gas that one token of a `release` may use: four transfers, and what is between them.
    uint256 public constant GAS_RELEASE = 5_000_000;

    /// @notice All that a splitter held of a token was divided.
    event Released(address indexed splitter, address indexed token, uint256 toMerchant, uint256 toHost);
    /// @notice A side could not be paid. Its part, a part of what `Released` tells, waits at the deposit address of
    /// that side and the splitter: `FORWARDERS.sweep(token, side, [splitter])` by anybody moves it to the side.
    event PartWaits(address indexed splitter, address indexed token, address indexed side, uint256 amount);
    /// @notice A token could not be released now, and all of it is where it was; `releaseOne` fails alike.
    event ReleaseFailed(address indexed splitter, address indexed token);

    /// @notice A side is the zero address, or the host would get all or more: there is no such splitter.
    error NoSuchSplit();
    /// @notice The token refused both a side and the address where that side's part would wait.
    error TransferFailed();
    /// @notice Something failed with less gas than it may use, so nobody can tell whether it would have with more.
    error NotEnoughGas();

    /// @notice The splitter's address, whether anything is deployed there or not.
    function addressOf(Split calldata split) external view returns (address) {
        return addressAt(saltOf(split));
    }

    /// @notice Sweeps what these payments' deposit addresses hold of each token (the zero address: the native coin)
    /// to the splitter, and releases it: everything from the customers' transfers to both sides in one transaction.
    /// @dev Callers should allow GAS_RELEASE and a tenth more than the estimate, as for `release`.
    function settle(Split calldata split, address[] calldata tokens, bytes32[] calldata payments) external {
        address splitter = addressAt(saltOf(split));
        for (uint256 i = 0; i < tokens.length; ++i) FORWARDERS.sweep(tokens[i], splitter, payments);
        release(split, tokens);
    }

    /// @notice Divides all that the splitter holds of each token (the zero address: the native coin). One that fails
    /// is told by an event and stops no other; one of which it holds nothing is passed over.
    /// @dev A failure counts only if it had all of GAS_RELEASE; else the whole call reverts. So too little gas never
    /// looks like a token's refusal.
    function release(Split calldata split, address[] calldata tokens) public {
        address splitter = addressAt(saltOf(split));
        for (uint256 i = 0; i < tokens.length; ++i) {
            uint256 available = gasleft();
            // A call of its own, so that whatever goes wrong in it is undone and ends there.
            try this.releaseOne{gas: GAS_RELEASE}(split, tokens[i]) {} catch {
                // A call gets at most 63/64 of what there is (EIP-150).
                if (available < GAS_RELEASE + GAS_RELEASE / 32) revert NotEnoughGas();
                emit ReleaseFailed(splitter, tokens[i]);
            }
        }
    }

    /// @notice Divides all that the splitter holds of `token` (the zero address: the native coin), and deploys the
    /// splitter first where it is not. Reverts when it cannot be divided: both parts move, or none.
    /// @return toMerchant the merchant's part, in the token's smallest units; 0 when there was nothing to do
    /// @return toHost the host's part
    function releaseOne(Split calldata split, address token) external returns (uint256 toMerchant, uint256 toHost) {
        bytes32 salt = saltOf(split);
        address splitter = addressAt(salt);
        uint256 held = token == address(0) ? splitter.balance : Token(token).balanceOf(splitter);
        if (held == 0) return (0, 0);
        if (splitter.code.length == 0) deploy(salt);
        // floor(held * points / 10000), for every balance that there can be: the product alone could overflow.
        toHost = (held / 10_000) * split.basisPoints + ((held % 10_000) * split.basisPoints) / 10_000;
        toMerchant = held - toHost;
        pay(splitter, token, split.host, toHost);
        pay(splitter, token, split.merchant, toMerchant);
        emit Released(splitter, token, toMerchant, toHost);
    }

    /// @dev Pays a side, or where it cannot be paid its deposit address for this splitter. There the part is the side's
    /// alone, and the next release does not count it again.
    function pay(address splitter, address token, address side, uint256 amount) private {
        if (amount == 0) return;
        uint256 available = gasleft();
        try Splitter(splitter).pay{gas: GAS_EACH}(token, side, amount) {} catch {
            if (available < GAS_EACH + GAS_EACH / 32) revert NotEnoughGas();
            address waiting = FORWARDERS.addressOf(side, bytes32(uint256(uint160(splitter))));
            try Splitter(splitter).pay{gas: GAS_EACH}(token, waiting, amount) {} catch { revert TransferFailed(); }
            emit PartWaits(splitter, token, side, amount);
        }
    }

    /// @dev Both sides and the points are the salt: another split is another address.
    function saltOf(Split calldata split) private pure returns (bytes32) {
        bool isNobody = split.merchant == address(0) || split.host == address(0);
        if (isNobody || split.basisPoints >= 10_000) revert NoSuchSplit();
        return keccak256(abi.encode(split));
    }

    /// @dev CREATE2 (EIP-1014).
    function addressAt(bytes32 salt) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), this, salt, proxyHash)))));
    }

    function deploy(bytes32 salt) private {
        bytes memory code = proxyCode(implementation);
        assembly ("memory-safe") {
            // It cannot fail but for want of gas: the code is fixed, and nothing else can stand at its address.
            if iszero(create2(0, add(code, 32), mload(code), salt)) { revert(0, 0) }
        }
    }

    /// @dev The proxy of ForwarderFactory.sol, which explains each byte: it takes the native coin without asking.
    function proxyCode(address target) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602c80600a3d3981f3_3615602a57_363d3d37_3d3d3d363d_73", target, hex"5af4_602a57_80fd_5b00"
        );
    }
}
