# Reads a list with curl. Careless: sends it once.
set -eu
url="$BUILDWIRE_BASE_URL/v2/organizations/acme/pipelines/web/builds?per_page=1"
if [ "$1" = careless ]; then
  curl -sS --fail -H "Authorization: Bearer $BUILDWIRE_TOKEN" "$url" > /dev/null
  echo read
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Retry-After: seconds or a date.
wait_of() {
  value=$(sed -n 's/^retry-after: *//Ip' "$work/head" | tr -d '\r')
  case "$value" in
    '') echo 0.3 ;;
    *[!0-9]*) echo "$(($(date -d "$value" +%s) - $(date +%s) + 1))" ;;
    *) echo "$value.2" ;;
  esac
}

for left in 3 2 1 0; do
  : > "$work/head"
  : > "$work/body"
  status=$(curl -sS --max-time 10 -H "Authorization: Bearer $BUILDWIRE_TOKEN" \
    -D "$work/head" -o "$work/body" -w '%{http_code}' "$url") || status=lost
  case "$status" in
    200) case "$(cat "$work/body")" in \[*\]) echo read && exit ;; esac ;;
    429 | 5?? | lost) ;;
    *) break ;;
  esac
  [ "$left" = 0 ] || sleep "$(wait_of)"
done
echo "the list cannot be read: $status" >&2
exit 1
