# What the careful twins share: a deadline for each request, a few tries, an honest end. To be read in by sh.
set -u
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
api=$BUILDWIRE_BASE_URL/v2
org=$api/organizations/${BUILDWIRE_ORG:-acme}
printf 'header = "Authorization: Bearer %s"\n' "$BUILDWIRE_TOKEN" > "$work/auth"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# One request. Sets status; the answer is in $work/body, its head in $work/headers.
once() {
  : > "$work/headers"
  : > "$work/body"
  status=$(curl --silent --show-error --config "$work/auth" --max-time 6 --dump-header "$work/headers" \
    --output "$work/body" --write-out '%{http_code}' "$@" 2> "$work/error") && return 0
  status=0
  return 1
}

header() { sed -n "s/^$1: *//Ip" "$work/headers" | tr -d '\r' | tail -n 1; }

# How many seconds the service wants to be left alone, or what is given.
wait_after() {
  said=$(header retry-after)
  [ -n "$said" ] || said=$(header ratelimit-reset)
  case $said in
    '') echo "$1" ;;
    *[!0-9]*)
      wait=$(($(date -d "$said" +%s) - $(date -d "$(header date)" +%s)))
      if [ "$wait" -gt 0 ]; then echo "$wait"; else echo "$1"; fi
      ;;
    *) echo "$said" ;;
  esac
}

problem() { if [ "$status" = 0 ]; then cat "$work/error"; else echo "the service answered $status"; fi; }

# read_json URL TEST: reads an answer that passes the jq test into $work/body, with at most four tries.
read_json() {
  for pause in 0.2 0.4 0.8 last; do
    if once "$1"; then
      case $status in
        200) jq -e "$2" "$work/body" > "$work/tested" 2>&1 && return 0 ;;
        429 | 500 | 502 | 503 | 504) ;;
        *) fail "$(problem): $(head -c 200 "$work/body")" ;;
      esac
    fi
    [ "$pause" = last ] && break
    case $status in 0 | 200) ;; *) pause=$(wait_after "$pause") ;; esac
    [ "${pause%.*}" -le 60 ] || fail "$(problem), and wants $pause seconds of patience"
    sleep "$pause"
  done
  fail "no usable answer: $(problem)"
}

# start PIPELINE MESSAGE: starts one build and sets number. A lost answer is looked for, not asked for again.
start() {
  marker=$(cat /proc/sys/kernel/random/uuid)
  jq -n --arg message "$2" --arg request "$marker" \
    '{commit: "HEAD", branch: "main", message: $message, meta_data: {request: $request}}' > "$work/new.json"
  for pause in 0.2 0.4 0.8 last; do
    once --header 'Content-Type: application/json' --data "@$work/new.json" "$org/pipelines/$1/builds" || break
    case $status in
      201) number=$(jq -e '.number | numbers' "$work/body" 2> "$work/error") && return 0 || break ;;
      429) [ "$pause" = last ] && fail "$(problem)" ;;
      4*) fail "$(problem): $(head -c 200 "$work/body")" ;;
      *) break ;;
    esac
    pause=$(wait_after "$pause")
    [ "${pause%.*}" -le 60 ] || fail "$(problem), and wants $pause seconds of patience"
    sleep "$pause"
  done
  lost=$(problem)
  read_json "$org/pipelines/$1/builds?meta_data%5Brequest%5D=$marker&exclude_jobs=true" 'type == "array"'
  number=$(jq -e '.[0].number | numbers' "$work/body") || fail "$lost, and no new build is to be seen"
}
