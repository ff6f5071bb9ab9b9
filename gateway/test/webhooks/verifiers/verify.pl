# Verifies webhooks by contract.md#webhooks with Perl's core modules: lines of JSON in, one verdict a line out.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);
use JSON::PP qw(decode_json encode_json);
use MIME::Base64 qw(decode_base64 encode_base64);

$| = 1;

sub matches {
    my ($key, $message, $given) = @_;
    return encode_base64(hmac_sha256($message, $key), '') eq $given;
}

while (my $line = <STDIN>) {
    my $case = decode_json($line);
    my $headers = $case->{headers};
    my $body = decode_base64($case->{body});
    my $plain = matches($case->{secret_key}, $body, $headers->{'x-signature'});

    my ($encoded) = $case->{endpoint_secret} =~ /^whsec_(.+)$/;
    my $key = decode_base64($encoded // '');
    my $sent_at = $headers->{'webhook-timestamp'};
    my $signed = "$headers->{'webhook-id'}.$sent_at.$body";
    my @given = map { /^v1,(.+)$/ ? $1 : () } split / /, $headers->{'webhook-signature'};
    my $is_signed = grep { matches($key, $signed, $_) } @given;
    my $standard = $is_signed && abs(time() - $sent_at) <= 300;
    print encode_json({
        plain => $plain ? JSON::PP::true : JSON::PP::false,
        standard => $standard ? JSON::PP::true : JSON::PP::false,
    }), "\n";
}
