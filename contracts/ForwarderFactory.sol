// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of ERC-20 that forwarding needs.
interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title What stands behind every deposit address
/// @notice Each deposit address is a proxy of this one contract. It holds what a customer sent and does one
/// thing: hand it to the destination that its factory names. It has no owner, no storage and no other call.
contract Forwarder {
    /// @dev Part of the code, so it is the same for every proxy; nobody can change it.
    address private immutable factory = msg.sender;

    /// @notice Only the factory, which knows the destination of each address, may ask for money.
    error OnlyFactory();
    /// @notice The token or the destination refused.
    error TransferFailed();

    /// @notice Sends `amount` of `token` (the zero address: the native coin) from here to `destination`.
    function flush(address token, address destination, uint256 amount) external {
        if (msg.sender != factory) revert OnlyFactory();
        bool sent;
        if (token == address(0)) {
            (sent, ) = destination.call{value: amount}("");
        } else {
            bytes memory answer;
            (sent, answer) = token.call(abi.encodeCall(Token.transfer, (destination, amount)));
            // Some tokens answer nothing. One that answers must answer true: decoding anything but a bool reverts.
            if (answer.length > 0) sent = sent && abi.decode(answer, (bool));
        }
        if (!sent) revert TransferFailed();
    }
}

/// @title One deposit address for each payment, without a key
/// @notice The address of a payment follows from this contract, the destination and the payment alone, so it can
/// receive before anything is deployed there. Anybody may sweep, at their own cost: the money can go nowhere but
/// to the destination that the address was derived from. Nothing here is stored, owned, paused or upgraded.
contract ForwarderFactory {
    /// @notice What every deposit address delegates to.
    address public immutable implementation = address(new Forwarder());

    /// @dev The hash of what `deploy` deploys, which every address follows from.
    bytes32 private immutable proxyHash = keccak256(proxyCode(implementation));

    /// @notice The gas that one payment of a `sweep` may use, so that a token or a destination that burns all it
    /// gets cannot starve the payments after it. Ten times what known tokens need; `sweepOne` has no such limit.
    uint256 public constant GAS_EACH = 1_000_000;

    /// @notice A deposit could not be moved now and is where it was; `sweepOne` fails alike.
    event SweepFailed(bytes32 indexed payment, address indexed token, address indexed destination);

    /// @notice Money sent to nobody would be lost, so there are no addresses for it.
    error NoDestination();
    /// @notice The token or the destination refused.
    error TransferFailed();
    /// @notice A payment failed with less gas than GAS_EACH, so nobody can tell whether it would have with more.
    error NotEnoughGas();

    /// @notice The deposit address of a payment to a destination, whether anything is deployed there or not.
    function addressOf(address destination, bytes32 payment) external view returns (address) {
        return addressAt(saltOf(destination, payment));
    }

    /// @notice Moves all that these payments' addresses hold of `token` (the zero address: the native coin) to
    /// `destination`. One that fails is told by an event and stops no other; one that holds nothing is passed over.
    /// @dev A failure counts only if it had all of GAS_EACH; else the whole call reverts. So too little gas never
    /// looks like a token's refusal, and an estimate of the gas covers every payment that can be moved. Callers
    /// should allow GAS_EACH and a tenth more than the estimate, for a payment that fails only when it is mined.
    function sweep(address token, address destination, bytes32[] calldata payments) external {
        for (uint256 i = 0; i < payments.length; ++i) {
            uint256 available = gasleft();
            // A call of its own, so that whatever goes wrong in it is undone and ends there.
            try this.sweepOne{gas: GAS_EACH}(token, destination, payments[i]) {} catch {
                // A call gets at most 63/64 of what there is (EIP-150).
                if (available < GAS_EACH + GAS_EACH / 32) revert NotEnoughGas();
                emit SweepFailed(payments[i], token, destination);
            }
        }
    }

    /// @notice Moves all that one payment's address holds of `token` (the zero address: the native coin) to
    /// `destination`, and deploys the address first where it is not. Reverts when it cannot be moved.
    /// @return amount what the address held, in the token's smallest units; 0 when there was nothing to do
    function sweepOne(address token, address destination, bytes32 payment) external returns (uint256 amount) {
        bytes32 salt = saltOf(destination, payment);
        address forwarder = addressAt(salt);
        amount = token == address(0) ? forwarder.balance : Token(token).balanceOf(forwarder);
        if (amount == 0) return 0;
        if (forwarder.code.length == 0) deploy(salt);
        try Forwarder(forwarder).flush(token, destination, amount) {} catch { revert TransferFailed(); }
    }

    /// @dev The destination is part of the salt: another destination is another address.
    function saltOf(address destination, bytes32 payment) private pure returns (bytes32) {
        if (destination == address(0)) revert NoDestination();
        return keccak256(abi.encode(destination, payment));
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

    /// @dev A minimal proxy like that of EIP-1167, but one that takes the native coin without asking: looking up
    /// the implementation costs more than the 2,300 gas that come with a `transfer`. It returns nothing.
    ///
    ///     3d602c80600a3d3981f3   deploy the 44 bytes that follow
    ///     36 15 602a 57          no calldata: jump to the end
    ///     36 3d 3d 37            copy the calldata to memory
    ///     3d 3d 3d 36 3d         0, and for the call: no room for its answer, all of the calldata
    ///     73 implementation
    ///     5a f4                  delegatecall with all the gas
    ///     602a 57                it succeeded: jump to the end
    ///     80 fd                  it failed: revert without data
    ///     5b 00                  the end
    function proxyCode(address target) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602c80600a3d3981f3_3615602a57_363d3d37_3d3d3d363d_73", target, hex"5af4_602a57_80fd_5b00"
        );
    }
}
