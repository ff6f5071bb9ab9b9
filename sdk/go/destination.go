package florin

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"florin.example/sdk/internal/keccak"
)

// Agreed is what you agreed on with the host: your own address, the host's and its part in basis points (0 to 9999) for a
// direct settlement; or the host's treasury, for payments that are credited to your balance.
type Agreed struct {
	Merchant    string
	Host        string
	BasisPoints int
	// Treasury is empty where settlement is direct.
	Treasury string
}

// factory is a contract of Florin's that makes addresses, the same on every chain, and the hash of what it deploys
// (docs/contracts.md). Nothing of it is taken from an answer.
type factory struct {
	address, codeHash string
}

var (
	deposits = factory{
		"2158bc18268f69579527b7ee9781262ef8874155",
		"c9233e36fb90bdde9483034100e663235c917969b23760331c3cc40645e512b7",
	}
	splitters = factory{
		"90df07a377585af9bf39438afd57c720a73535b5",
		"9596d81464e6d10ca592e6f18e01395efa40b4356ef003aeee999358a215de30",
	}
	dashedID       = regexp.MustCompile(`^(.{8})-(.{4})-(.{4})-(.{4})-`)
	idPattern      = regexp.MustCompile(`^[0-9a-f]{32}$`)
	addressPattern = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
)

// DestinationAddress is the address of a payment (PaymentData.ID) on every EVM chain, with its checksum. It is computed from
// what you agreed on alone (docs/direct-settlement.md). The error is a *DestinationError with BadTerms.
func DestinationAddress(paymentID string, agreed Agreed) (string, error) {
	digits := dashedID.ReplaceAllString(strings.ToLower(paymentID), "$1$2$3$4")
	if !idPattern.MatchString(digits) {
		return "", badTerms("paymentID is not the id of a payment")
	}
	goal, err := goalOf(agreed)
	if err != nil {
		return "", err
	}
	return checksummed(deposits.made(goal, digits)), nil
}

// VerifyDestination verifies that money sent to an address of a payment can go nowhere but where you agreed with the host. The
// destination is one of the Items of Payments.Destinations, or has the Address alone, as a page shows it. The address is
// computed anew. Of the answer nothing is believed: its other fields only tell what differs (contract.md#direct).
//
// It returns nil. The error is a *DestinationError: then do not send the customer to the address.
func VerifyDestination(paymentID string, destination PaymentDestination, agreed Agreed) error {
	expected, err := DestinationAddress(paymentID, agreed)
	if err != nil {
		return err
	}
	if strings.EqualFold(destination.Address, expected) {
		return nil
	}
	for _, part := range partsOf(agreed, destination) {
		if part.answered != "" && !strings.EqualFold(part.agreed, part.answered) {
			return otherThan(part)
		}
	}
	return otherThan(termsPart{OtherAddress, "address", expected, destination.Address})
}

// termsPart is what was agreed on and what was answered; empty where it was not.
type termsPart struct {
	reason                 DestinationReason
	name, agreed, answered string
}

func partsOf(agreed Agreed, answer PaymentDestination) []termsPart {
	if agreed.Treasury != "" {
		return []termsPart{
			{OtherSettlement, "settlement", "balance", answer.Settlement},
			{OtherTreasury, "treasury", agreed.Treasury, answer.Destination},
		}
	}
	points := ""
	if answer.BasisPoints != nil {
		points = fmt.Sprint(*answer.BasisPoints)
	}
	return []termsPart{
		{OtherSettlement, "settlement", "direct", answer.Settlement},
		{OtherMerchant, "merchant", agreed.Merchant, textAt(answer.Merchant)},
		{OtherHost, "host", agreed.Host, textAt(answer.Host)},
		{OtherBasisPoints, "basis points", fmt.Sprint(agreed.BasisPoints), points},
	}
}

func textAt(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func otherThan(part termsPart) *DestinationError {
	message := fmt.Sprintf("The %s should be %s and is %s", part.name, part.agreed, part.answered)
	return &DestinationError{Reason: part.reason, Message: message}
}

func badTerms(message string) *DestinationError {
	return &DestinationError{Reason: BadTerms, Message: message}
}

// made is CREATE2 (EIP-1014), with the hash of the words as its salt.
func (f factory) made(words ...string) string {
	salt := ""
	for _, each := range words {
		salt += word(each)
	}
	return keccakOf("ff" + f.address + keccakOf(salt) + f.codeHash)[24:]
}

// keccakOf takes and gives hexadecimal digits, whose text is known to be right.
func keccakOf(digits string) string {
	bytes, _ := hex.DecodeString(digits)
	digest := keccak.Sum256(bytes)
	return hex.EncodeToString(digest[:])
}

// goalOf is where the money of the address goes: the splitter or the treasury.
func goalOf(agreed Agreed) (string, error) {
	if agreed.Treasury != "" {
		return readAddress(agreed.Treasury, "Treasury")
	}
	if agreed.BasisPoints < 0 || agreed.BasisPoints > 9999 {
		return "", badTerms("BasisPoints must be from 0 to 9999")
	}
	merchant, err := readAddress(agreed.Merchant, "Merchant")
	if err != nil {
		return "", err
	}
	host, err := readAddress(agreed.Host, "Host")
	if err != nil {
		return "", err
	}
	return splitters.made(merchant, host, fmt.Sprintf("%x", agreed.BasisPoints)), nil
}

func readAddress(text, name string) (string, error) {
	if !addressPattern.MatchString(text) || strings.Trim(text[2:], "0") == "" {
		return "", badTerms(name + " is not an address")
	}
	digits := text[2:]
	lower := strings.ToLower(digits)
	isMixed := digits != lower && digits != strings.ToUpper(digits)
	if isMixed && checksummed(lower) != text {
		return "", badTerms(name + " has a wrong checksum")
	}
	return lower, nil
}

// checksummed is the mixed case that wallets check (EIP-55).
func checksummed(digits string) string {
	digest := keccak.Sum256([]byte(digits))
	marks := hex.EncodeToString(digest[:])
	cased := []byte(digits)
	for at := range cased {
		if marks[at] >= '8' {
			cased[at] = strings.ToUpper(digits[at : at+1])[0]
		}
	}
	return "0x" + string(cased)
}
