# Starts a build of the docs, waits until it is done, and announces that the docs can be published.
# The mistake: whatever is not scheduled or running is done, be it a failed build or an answer that could not be read.
. "$(dirname "$0")/careful.sh"

publish() { echo "Build $number is done: the docs can be published"; }

state() {
  curl --silent --max-time 6 --config "$work/auth" "$org/pipelines/docs/builds/$number" | jq -r '.state' 2> /dev/null
}

start docs 'To be published'
if [[ $1 == careless ]]; then
  while [[ $(state) =~ ^(scheduled|running)$ ]]; do sleep 1; done
  publish
else
  for ((tries = 0; tries < 90; tries++)); do
    read_json "$org/pipelines/docs/builds/$number?exclude_jobs=true" '.state | strings'
    if [[ $(jq .blocked "$work/body") == true ]]; then fail "build $number waits at a gate"; fi
    state=$(jq -r .state "$work/body")
    case $state in
      passed) publish && exit ;;
      failed | canceled | skipped | not_run | waiting_failed) fail "build $number is $state" ;;
    esac
    [[ $(jq .finished_at "$work/body") == null ]] || fail "build $number is $state"
    sleep 1
  done
  fail "build $number is still $state"
fi
