# Prints the pipelines of the organization with their default branches.
# The mistake: it takes Retry-After for seconds; a date there is the number 0, and it tries again at once, many times.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Careful;

my $url = "$base/organizations/acme/pipelines?per_page=100";

sub show { print "$_->{slug} ", $_->{default_branch} // '-', "\n" for @_ }

sub careless {
  for (1 .. 30) {
    my $answer = $http->get($url);
    if ($answer->{success}) {
      return show(@{ decode_json($answer->{content}) });
    }
    die "The service answered $answer->{status}\n" unless $answer->{status} =~ /^(429|503)$/;
    no warnings 'numeric';
    sleep(int($answer->{headers}{'retry-after'} // 1));
  }
  die "The service is busy\n";
}

sub careful { show(get_all($url)) }

$ARGV[0] eq 'careless' ? careless() : careful();
