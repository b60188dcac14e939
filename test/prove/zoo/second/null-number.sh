# Starts a build and prints its number.
# The mistake: curl exits with 0 when the service refuses, so it prints "Started build null" and succeeds.
. "$(dirname "$0")/careful.sh"

case $1 in
  careless)
    answer=$(curl -s --max-time 10 -X POST "$org/pipelines/infra/builds" --config "$work/auth" \
      -H 'Content-Type: application/json' -d '{"commit":"HEAD","branch":"main","message":"On demand"}')
    echo "Started build $(echo "$answer" | jq -r .number)"
    ;;
  careful)
    start infra 'On demand'
    echo "Started build $number"
    ;;
esac
