// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A destination that refuses the native coin, or does in the middle of taking it what it was told to
contract OddDestination {
    bool public refuses;
    address private target;
    bytes private data;

    function refuse(bool isRefused) external {
        refuses = isRefused;
    }

    function callBack(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    receive() external payable {
        require(!refuses, "no, thanks");
        address called = target;
        if (called == address(0)) return;
        // Once: the call back may bring another payment.
        target = address(0);
        (bool done, ) = called.call(data);
        done;
    }
}

/// @title It pays the native coin with 2,300 gas, as contracts did for long
contract StipendPayer {
    receive() external payable {}

    function pay(address to, uint256 amount) external {
        // Not `transfer`, which the compiler warns of; the gas is the same.
        (bool sent, ) = to.call{value: amount, gas: 0}("");
        require(sent, "not taken");
    }
}

/// @title It gives a unit of what it is paid back at once
contract GivingDestination {
    receive() external payable {
        (bool given, ) = msg.sender.call{value: 1}("");
        given;
    }
}

/// @title It refuses, cheaply, to be paid with less than 300,000 gas
contract CarefulDestination {
    receive() external payable {
        require(gasleft() > 300_000, "too little gas");
    }
}
