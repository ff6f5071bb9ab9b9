// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The part of ERC-20 that paying needs.
interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title A vault that pays out, with limits
/// @notice The admin (a cold wallet, or a contract such as a Safe) owns what is here. The signer, a key that a gateway
/// can reach, may pay out tokens up to a limit for each token and UTC day, and nothing else. At birth there is no
/// signer, and every limit is 0. An id is paid once for ever, whoever pays it.
contract PayoutVault {
    /// @param id which payout this is: ids that differ in their lowest eight bits alone share a storage slot
    /// @param amount in the token's smallest units
    struct Payout {
        uint256 id;
        address to;
        uint256 amount;
    }

    /// @dev One slot. `spent` counts on `day` (days since 1970 in UTC), and is 0 on any other.
    struct Allowance {
        uint112 limit;
        uint112 spent;
        uint32 day;
    }

    /// @notice The gas that one payout may use, so that a token that burns all it gets cannot starve the payouts
    /// after it. Ten times what known tokens need.
    uint256 public constant GAS_EACH = 1_000_000;
    /// @notice In an answer of `pay`: the payout was made.
    bytes4 public constant NONE = 0xffffffff;

    /// @notice Who owns all that is here.
    address public admin;
    /// @notice Who becomes the admin by `acceptAdmin`; the zero address: nobody.
    address public nextAdmin;
    /// @notice Who may pay out within limits; the zero address: nobody.
    address public signer;
    /// @notice Whether the signer is stopped.
    bool public paused;

    mapping(address token => Allowance) private allowances;
    mapping(uint256 slot => uint256) private paidBits;

    /// @notice A payout was made: the receiver's balance rose by exactly `amount`.
    event Paid(uint256 indexed id, address indexed token, address indexed to, uint256 amount);
    /// @notice A payout was not made and nothing of it moved. `reason` is the selector of AlreadyPaid, LimitReached or
    /// TransferFailed; 0: it used up its gas.
    event Refused(uint256 indexed id, address indexed token, address indexed to, uint256 amount, bytes4 reason);
    /// @notice The admin took something out.
    event Taken(address indexed token, address indexed to, uint256 amount);
    event SignerSet(address signer);
    event LimitSet(address indexed token, uint112 limit);
    event PausedSet(bool paused);
    event AdminOffered(address nextAdmin);
    event AdminSet(address admin);

    /// @notice The caller may not do this.
    error NotAllowed();
    /// @notice The admin has stopped the signer.
    error IsPaused();
    /// @notice This id was paid before.
    error AlreadyPaid();
    /// @notice The signer would pay more of this token than its limit for this UTC day.
    error LimitReached();
    /// @notice The token refused, or the receiver did not get exactly the amount.
    error TransferFailed();
    /// @notice A payout failed with less gas than GAS_EACH, so nobody can tell whether it would have with more.
    error NotEnoughGas();

    modifier onlyAdmin() {
        if (msg.sender != admin) revert NotAllowed();
        _;
    }

    /// @param admin_ is part of what is deployed: one admin has one vault address, the same on every chain
    constructor(address admin_) {
        admin = admin_;
        emit AdminSet(admin_);
    }

    /// @notice It takes the native coin too, for the admin to take out.
    receive() external payable {}

    /// @notice Makes payouts of one token: the signer within its limits and unless it is paused, the admin always. One
    /// that is refused is told by an event and stops no other.
    /// @dev A refusal counts only if it had all of GAS_EACH; else the whole call reverts. So too little gas never looks
    /// like a refusal. Callers should allow GAS_EACH and a tenth more than the estimate, for a payout that is refused
    /// only when it is mined.
    /// @return reasons for each payout why it was refused, as in `Refused`; NONE: it was made
    function pay(address token, Payout[] calldata payouts) external returns (bytes4[] memory reasons) {
        bool isLimited = msg.sender != admin;
        if (isLimited) {
            if (msg.sender != signer) revert NotAllowed();
            if (paused) revert IsPaused();
        }
        reasons = new bytes4[](payouts.length);
        for (uint256 i = 0; i < payouts.length; ++i) {
            Payout calldata payout = payouts[i];
            uint256 available = gasleft();
            // A call of its own, so that whatever goes wrong in it is undone and ends there. It reverts with errors of
            // this contract alone: no answer of a token comes through, however long.
            try this.payOne{gas: GAS_EACH}(token, payout, isLimited) {
                reasons[i] = NONE;
            } catch (bytes memory reason) {
                // A call gets at most 63/64 of what there is (EIP-150).
                if (available < GAS_EACH + GAS_EACH / 32) revert NotEnoughGas();
                reasons[i] = bytes4(reason);
                emit Refused(payout.id, token, payout.to, payout.amount, reasons[i]);
            }
        }
    }

    /// @notice One payout of a `pay`; only this contract may call it. Reverts when it cannot be made.
    /// @dev What is noted is noted before the transfer: a token that calls back finds the id paid and the sum spent.
    function payOne(address token, Payout calldata payout, bool isLimited) external {
        if (msg.sender != address(this)) revert NotAllowed();
        (uint256 slot, uint256 bit) = (payout.id >> 8, 1 << (payout.id & 0xff));
        uint256 bits = paidBits[slot];
        if (bits & bit != 0) revert AlreadyPaid();
        paidBits[slot] = bits | bit;
        if (isLimited) spend(token, payout.amount);
        uint256 before = balanceOf(token, payout.to);
        transfer(token, payout.to, payout.amount);
        // Not a token that keeps a fee, nor one that only says that it paid.
        uint256 current = balanceOf(token, payout.to);
        if (current < before || current - before != payout.amount) revert TransferFailed();
        emit Paid(payout.id, token, payout.to, payout.amount);
    }

    /// @notice Whether this id was paid.
    function isPaid(uint256 id) external view returns (bool) {
        return paidBits[id >> 8] & (1 << (id & 0xff)) != 0;
    }

    /// @notice What the signer may pay out of a token each UTC day, and what of it is left today.
    function limitOf(address token) external view returns (uint256 limit, uint256 left) {
        Allowance memory allowance = allowances[token];
        uint256 spent = allowance.day == today() ? allowance.spent : 0;
        return (allowance.limit, allowance.limit > spent ? allowance.limit - spent : 0);
    }

    /// @notice Names the signer; the zero address: nobody.
    function setSigner(address signer_) external onlyAdmin {
        signer = signer_;
        emit SignerSet(signer_);
    }

    /// @notice Sets what the signer may pay out of a token each UTC day; what it paid out today counts.
    function setLimit(address token, uint112 limit) external onlyAdmin {
        allowances[token].limit = limit;
        emit LimitSet(token, limit);
    }

    /// @notice Stops the signer, or lets it go on.
    function setPaused(bool paused_) external onlyAdmin {
        paused = paused_;
        emit PausedSet(paused_);
    }

    /// @notice Names who becomes the admin once they accept; the zero address withdraws it.
    function offerAdmin(address nextAdmin_) external onlyAdmin {
        nextAdmin = nextAdmin_;
        emit AdminOffered(nextAdmin_);
    }

    /// @notice Becomes the admin: only an address that can call is one.
    function acceptAdmin() external {
        if (msg.sender != nextAdmin) revert NotAllowed();
        admin = msg.sender;
        nextAdmin = address(0);
        emit AdminSet(msg.sender);
    }

    /// @notice Takes out `amount` of `token` (the zero address: the native coin).
    function take(address token, address to, uint256 amount) external onlyAdmin {
        if (token == address(0)) {
            (bool sent, ) = to.call{value: amount}("");
            if (!sent) revert TransferFailed();
        } else {
            // A call to an address without code would succeed, and move nothing.
            if (token.code.length == 0) revert TransferFailed();
            transfer(token, to, amount);
        }
        emit Taken(token, to, amount);
    }

    /// @notice Calls anything as this vault: for what `take` cannot take out, such as an NFT.
    function call(address target, uint256 value, bytes calldata data) external onlyAdmin returns (bytes memory answer) {
        bool done;
        (done, answer) = target.call{value: value}(data);
        if (!done) revert TransferFailed();
    }

    function spend(address token, uint256 amount) private {
        Allowance memory allowance = allowances[token];
        uint32 day = today();
        uint256 spent = allowance.day == day ? allowance.spent : 0;
        if (spent > allowance.limit || amount > allowance.limit - spent) revert LimitReached();
        // It fits: the sum is at most the limit.
        allowances[token] = Allowance(allowance.limit, uint112(spent + amount), day);
    }

    function today() private view returns (uint32) {
        return uint32(block.timestamp / 1 days);
    }

    /// @dev Some tokens answer nothing. One that answers must answer true: 32 bytes that are a 1. No more than those are
    /// copied, however long the answer.
    function transfer(address token, address to, uint256 amount) private {
        bytes memory data = abi.encodeCall(Token.transfer, (to, amount));
        bool sent;
        assembly ("memory-safe") {
            sent := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)
            if returndatasize() { sent := and(sent, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
        if (!sent) revert TransferFailed();
    }

    /// @dev Not by the interface: that would pass on with what a token reverts.
    function balanceOf(address token, address owner) private view returns (uint256 held) {
        bytes memory data = abi.encodeCall(Token.balanceOf, (owner));
        bool done;
        assembly ("memory-safe") {
            done := staticcall(gas(), token, add(data, 32), mload(data), 0, 32)
            done := and(done, gt(returndatasize(), 31))
            held := mload(0)
        }
        if (!done) revert TransferFailed();
    }
}
