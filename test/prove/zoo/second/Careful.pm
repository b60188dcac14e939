# What the careful twins share: a deadline for each request, a few tries, an honest end.
package Careful;
use strict;
use warnings;
use Exporter 'import';
use HTTP::Tiny;
use JSON::PP;
use Time::HiRes qw(sleep);
use Time::Piece;

our @EXPORT = qw($http $base rest get get_all);
our $base   = "$ENV{BUILDWIRE_BASE_URL}/v2";
our $http   = HTTP::Tiny->new(
  timeout         => 6,
  max_redirect    => 0, # Another origin must not get the token.
  default_headers => { Authorization => "Bearer $ENV{BUILDWIRE_TOKEN}" },
);

sub seconds { return Time::Piece->strptime($_[0], '%a, %d %b %Y %H:%M:%S GMT')->epoch }

# Rests as long as the service asks for, in seconds or as a date of its own clock.
sub rest {
  my ($headers, $tried) = @_;
  my $said = $headers->{'retry-after'} // $headers->{'ratelimit-reset'};
  my $wait = 0.2 * 2**($tried - 1);
  if (defined $said) {
    $wait = $said =~ /^\d+$/ ? $said : seconds($said) - ($headers->{date} ? seconds($headers->{date}) : time);
  }
  die "The service wants $wait seconds of patience\n" if $wait > 60;
  sleep($wait) if $wait > 0;
}

# Reads a list or an object, with at most four tries.
sub get {
  my ($url, $kind) = @_;
  for my $tried (1 .. 4) {
    my $answer = $http->get($url);
    my $record = $answer->{success} ? eval { decode_json($answer->{content}) } : undef;
    return wantarray ? ($record, $answer->{headers}) : $record if ref $record eq $kind;
    my $passing = $answer->{success} || $answer->{status} =~ /^(429|500|502|503|504|599)$/;
    die "No usable answer: $answer->{status} " . substr($answer->{content}, 0, 200) . "\n" if !$passing || $tried == 4;
    rest($answer->{success} ? {} : $answer->{headers}, $tried);
  }
}

# Reads a whole list, page by page, each record once.
sub get_all {
  my ($next) = @_;
  my (@records, %seen);
  while ($next) {
    my ($list, $headers) = get($next, 'ARRAY');
    push @records, grep { !$seen{ $_->{id} }++ } @$list;
    ($next) = ($headers->{link} // '') =~ /<([^>]+)>;\s*rel="next"/;
    die "The next page lies elsewhere\n" if $next && index($next, "$base/") != 0;
  }
  return @records;
}

1;
