package florin

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"florin.example/sdk/internal/keccak"
)

// WordsRequest is what the words of a payment are made of, beside its address.
type WordsRequest struct {
	ChainID int
	// Asset is an asset code, such as usdc-base.
	Asset string
	// Amount is all that is due, as a decimal: AmountDue of Payments.Get.
	Amount string
	// Reference is the payment's reference.
	Reference string
}

var decimalPattern = regexp.MustCompile(`^0*([0-9]+)(?:\.([0-9]*?)0*)?$`)

// PaymentWords are the four words that the payment's page shows beside the address, made of what you know: show them on your
// own page, so that customers can compare (docs/direct-settlement.md). They are the first 64 bits of what the gateway signs
// (EIP-712), the deadline as 0. The error is a *DestinationError with BadTerms.
func PaymentWords(paymentID string, agreed Agreed, request WordsRequest) (string, error) {
	match := decimalPattern.FindStringSubmatch(request.Amount)
	if match == nil {
		return "", badTerms("Amount is not a decimal")
	}
	amount := strings.TrimSuffix(match[1]+"."+match[2], ".")
	address, err := DestinationAddress(paymentID, agreed)
	if err != nil {
		return "", err
	}
	kind := textHash("PaymentRequest(address to,string asset,string amount,string reference,uint256 deadline)")
	texts := textHash(request.Asset) + textHash(amount) + textHash(request.Reference)
	asked := keccakOf(kind + word(strings.ToLower(address[2:])) + texts + word(""))
	domain := textHash("EIP712Domain(string name,string version,uint256 chainId)")
	domain += textHash("Florin payment request") + textHash("1") + word(fmt.Sprintf("%x", request.ChainID))
	digest := keccakOf("1901" + keccakOf(domain) + asked)
	words := make([]string, 4)
	for at := range words {
		bits, _ := strconv.ParseUint(digest[4*at:4*at+4], 16, 16)
		words[at] = proquint(bits)
	}
	return strings.Join(words, " "), nil
}

func textHash(text string) string {
	digest := keccak.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

func word(digits string) string {
	return strings.Repeat("0", 64-len(digits)) + digits
}

// proquint is 16 bits as a word that can be spoken.
func proquint(bits uint64) string {
	const consonants, vowels = "bdfghjklmnprstvz", "aiou"
	return string([]byte{
		consonants[bits>>12&15], vowels[bits>>10&3], consonants[bits>>6&15], vowels[bits>>4&3], consonants[bits&15],
	})
}
