# Prints the numbers of the failed builds of a pipeline in order.
# The mistake: it sorts numbers as text, so 1000 comes before 999.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Careful;

my $failed  = "$base/organizations/acme/pipelines/nightly/builds?state=failed&per_page=100&exclude_jobs=true";
my @numbers = map { $_->{number} } get_all($failed);
print "$_\n" for $ARGV[0] eq 'careless' ? sort @numbers : sort { $a <=> $b } @numbers;
