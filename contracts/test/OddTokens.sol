// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Tokens that behave as tokens out there do, for tests: each differs from the plain one in what its name says.

/// @title A token like any other, worth nothing: everybody may mint it
contract PlainToken {
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address owner => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferToMany(address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < to.length; ++i) move(msg.sender, to[i], values[i]);
    }

    function move(address from, address to, uint256 value) internal virtual {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    /// @dev Leaves a function with these bytes as its answer, whatever it declares.
    function answer(bytes memory data) internal pure {
        assembly ("memory-safe") { return(add(data, 32), mload(data)) }
    }
}

/// @title Its transfer answers nothing, like that of USDT on Ethereum
contract SilentToken is PlainToken {
    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function transfer(address to, uint256 value) external override returns (bool) {
        move(msg.sender, to, value);
        answer("");
    }
}

/// @title While it refuses, its transfer moves nothing and answers what it was told to: false, a 2, too few bytes
contract AnsweringToken is PlainToken {
    bool public refuses;
    bytes private refusal;

    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function refuseWith(bytes calldata data) external {
        refuses = true;
        refusal = data;
    }

    function accept() external {
        refuses = false;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        if (refuses) answer(refusal);
        move(msg.sender, to, value);
        return true;
    }
}

/// @title All of its transfers can be paused; by anybody here
contract PausableToken is PlainToken {
    bool public paused;

    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function pause(bool isPaused) external {
        paused = isPaused;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super.move(from, to, value);
    }
}

/// @title Addresses can be barred from sending and receiving; by anybody here
contract BlacklistingToken is PlainToken {
    mapping(address owner => bool) public isBarred;

    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function bar(address owner, bool barred) external {
        isBarred[owner] = barred;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isBarred[from] && !isBarred[to], "barred");
        super.move(from, to, value);
    }
}

/// @title It keeps a hundredth of each transfer, and its events say so
contract HonestFeeToken is PlainToken {
    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value - value / 100);
        super.move(from, address(this), value / 100);
    }
}

/// @title It keeps a hundredth of each transfer, and its event tells the whole
contract LyingFeeToken is PlainToken {
    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        balanceOf[from] -= value;
        balanceOf[to] += value - value / 100;
        balanceOf[address(this)] += value / 100;
        emit Transfer(from, to, value);
    }
}

/// @title In the middle of a transfer it calls whom it was told to
contract ReentrantToken is PlainToken {
    address private target;
    bytes private data;

    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function callBack(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function move(address from, address to, uint256 value) internal override {
        address called = target;
        if (called != address(0)) {
            // Once: the call back may bring another transfer.
            target = address(0);
            // Whether it succeeds is the other's affair.
            (bool done, ) = called.call(data);
            done;
        }
        super.move(from, to, value);
    }
}

/// @title A transfer from or to certain addresses burns all the gas it gets, by a loop or by an endless answer
contract BurningToken is PlainToken {
    mapping(address owner => bool) public isBurning;
    bool public answersEndlessly;

    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function burnFor(address owner, bool isEndlessAnswer) external {
        isBurning[owner] = true;
        answersEndlessly = isEndlessAnswer;
    }

    function move(address from, address to, uint256 value) internal override {
        if (isBurning[from] || isBurning[to]) {
            if (answersEndlessly) assembly { revert(0, 250000) }
            assembly { invalid() }
        }
        super.move(from, to, value);
    }
}

/// @title Its transfer takes three hundred thousand gas, as those of some tokens do that trade while they move
contract HeavyToken is PlainToken {
    constructor(string memory symbol_, uint8 decimals_) PlainToken(symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        require(gasleft() > 300_000, "too little gas");
        uint256 end = gasleft() - 300_000;
        while (gasleft() > end) {}
        super.move(from, to, value);
    }
}
