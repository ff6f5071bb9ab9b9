// Package keccak is Keccak-256 as chains of the EVM use it: Keccak before the padding of SHA-3 was changed. Go's own
// crypto/sha3 has the other padding alone.
package keccak

import (
	"encoding/binary"
	"math/bits"
)

const rate = 136

// roundConstants are of a shift register of 8 bits.
var roundConstants = func() (constants [24]uint64) {
	register := 1
	for round := range constants {
		for bit := 0; bit < 7; bit++ {
			if register&1 == 1 {
				constants[round] |= 1 << (1<<bit - 1)
			}
			register <<= 1
			if register&0x100 != 0 {
				register ^= 0x171
			}
		}
	}
	return constants
}()

// Sum256 is the hash of the bytes.
func Sum256(data []byte) [32]byte {
	padded := make([]byte, (len(data)/rate+1)*rate)
	copy(padded, data)
	padded[len(data)] = 1
	padded[len(padded)-1] |= 0x80
	var state [25]uint64
	for ; len(padded) > 0; padded = padded[rate:] {
		for at := 0; at < rate/8; at++ {
			state[at] ^= binary.LittleEndian.Uint64(padded[8*at:])
		}
		for _, constant := range roundConstants {
			permute(&state, constant)
		}
	}
	var digest [32]byte
	for at := 0; at < 4; at++ {
		binary.LittleEndian.PutUint64(digest[8*at:], state[at])
	}
	return digest
}

func permute(state *[25]uint64, constant uint64) {
	var columns [5]uint64
	for place, word := range state {
		columns[place%5] ^= word
	}
	for place := range state {
		x := place % 5
		state[place] ^= columns[(x+4)%5] ^ bits.RotateLeft64(columns[(x+1)%5], 1)
	}
	x, y, moved := 1, 0, state[1]
	for step := 0; step < 24; step++ {
		x, y = y, (2*x+3*y)%5
		place := x + 5*y
		next := state[place]
		state[place] = bits.RotateLeft64(moved, (step+1)*(step+2)/2%64)
		moved = next
	}
	for row := 0; row < 25; row += 5 {
		var words [5]uint64
		copy(words[:], state[row:row+5])
		for each := range words {
			state[row+each] = words[each] ^ (^words[(each+1)%5] & words[(each+2)%5])
		}
	}
	state[0] ^= constant
}
