# Starts a build of the docs, then prints its number and its message.
# The mistake: it does not read the answer but takes the next number for its own, which may be the build of somebody else.
use strict;
use warnings;
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Careful;

my $builds = "$base/organizations/acme/pipelines/docs/builds";
my $marker = join '-', time, $$, int rand 1e9;
my $new    = encode_json({
  commit    => 'HEAD',
  branch    => 'main',
  message   => 'Weekly',
  meta_data => { request => $marker },
});

sub create {
  for my $tried (1 .. 4) {
    my $answer = $http->post($builds, { content => $new, headers => { 'Content-Type' => 'application/json' } });
    return $answer if $answer->{success} || $answer->{status} >= 500;
    die "Not started: $answer->{status} $answer->{content}\n" if $answer->{status} != 429 || $tried == 4;
    rest($answer->{headers}, $tried);
  }
}

sub show { my ($build) = @_; print "$build->{number} ", $build->{message} // '(no message)', "\n" }

sub careless {
  my $newest = get("$builds?per_page=1&exclude_jobs=true", 'ARRAY');
  my $answer = create();
  die "Not started: $answer->{status}\n" unless $answer->{success};
  show(get("$builds/" . ($newest->[0]{number} + 1), 'HASH'));
}

sub careful {
  my $answer = create();
  my $build  = $answer->{success} ? eval { decode_json($answer->{content}) } : undef;
  if (ref $build ne 'HASH' || !$build->{number}) {
    # The answer is lost. The new build, if there is one, carries the marker.
    $build = get("$builds?meta_data[request]=$marker&exclude_jobs=true", 'ARRAY')->[0];
  }
  die "Not known whether it was started ($answer->{status}): no new build is to be seen\n" unless $build;
  show(get("$builds/$build->{number}", 'HASH'));
}

$ARGV[0] eq 'careless' ? careless() : careful();
