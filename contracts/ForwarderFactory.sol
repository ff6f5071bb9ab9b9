// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What stands behind every deposit address
/// @notice Each forwarder is a minimal proxy of this one contract. It holds what a customer sent, and does one
/// thing: hand it to the destination that its factory names.
contract Forwarder {
    address private immutable factory = msg.sender;

    error OnlyFactory();
    error TransferFailed();

    /// @notice Takes the native coin too, so that whatever was sent by mistake can be recovered.
    receive() external payable {}

    /// @notice Sends all that this address holds of `token` (the zero address: the native coin) to `destination`.
    /// @return amount what was sent, in the token's smallest units; 0 when there was nothing
    function flush(address token, address destination) external returns (uint256 amount) {
        if (msg.sender != factory) revert OnlyFactory();
        bool sent;
        bytes memory answer;
        if (token == address(0)) {
            amount = address(this).balance;
            if (amount == 0) return 0;
            (sent, ) = destination.call{value: amount}("");
        } else {
            amount = Token(token).balanceOf(address(this));
            if (amount == 0) return 0;
            (sent, answer) = token.call(abi.encodeCall(Token.transfer, (destination, amount)));
            // Some tokens answer nothing; one that answers must answer true.
            if (answer.length > 0) sent = sent && abi.decode(answer, (bool));
        }
        if (!sent) revert TransferFailed();
    }
}

/// @notice The part of ERC-20 that forwarding needs.
interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title One deposit address for each payment, without a key
/// @notice The address of a payment follows from this contract, the destination and the payment alone, so it can
/// receive before anything is deployed. Anybody may sweep: the money can go nowhere but to the destination
/// that the address was derived from.
contract ForwarderFactory {
    /// @notice What every forwarder delegates to.
    address public immutable implementation = address(new Forwarder());

    /// @notice A deposit went to its destination.
    event Swept(bytes32 indexed payment, address indexed token, address indexed destination, uint256 amount);
    /// @notice A deposit could not be moved now; those beside it were.
    event SweepFailed(bytes32 indexed payment, address indexed token, address indexed destination);

    /// @notice The deposit address of a payment to a destination, whether it is deployed or not.
    function addressOf(address destination, bytes32 payment) public view returns (address) {
        bytes32 hash = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), saltOf(destination, payment), keccak256(proxyCode()))
        );
        return address(uint160(uint256(hash)));
    }

    /// @notice Moves all that these payments' addresses hold of `token` (the zero address: the native coin) to
    /// `destination`, deploying the addresses that are not deployed yet. One that fails stops no other.
    function sweep(address token, address destination, bytes32[] calldata payments) external {
        for (uint256 i = 0; i < payments.length; ++i) {
            bytes32 payment = payments[i];
            address forwarder = addressOf(destination, payment);
            if (forwarder.code.length == 0) deploy(saltOf(destination, payment));
            try Forwarder(payable(forwarder)).flush(token, destination) returns (uint256 amount) {
                if (amount > 0) emit Swept(payment, token, destination, amount);
            } catch {
                emit SweepFailed(payment, token, destination);
            }
        }
    }

    function saltOf(address destination, bytes32 payment) private pure returns (bytes32) {
        return keccak256(abi.encode(destination, payment));
    }

    function deploy(bytes32 salt) private {
        bytes memory code = proxyCode();
        assembly ("memory-safe") {
            // It cannot fail but for want of gas: the code is fixed, and nothing else can stand at its address.
            if iszero(create2(0, add(code, 32), mload(code), salt)) { revert(0, 0) }
        }
    }

    /// @dev The minimal proxy of EIP-1167.
    function proxyCode() private view returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
