# Counts the builds of a pipeline with curl. Careless: the first page is all.
set -eu
url="$BUILDWIRE_BASE_URL/v2/organizations/acme/pipelines/web/builds?per_page=100"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
count=0
while [ -n "$url" ]; do
  case $url in "$BUILDWIRE_BASE_URL"*) ;; *) echo "the next page is elsewhere" >&2; exit 1 ;; esac
  curl -sS --fail --max-time 10 --retry 4 --retry-all-errors -D "$work/head" \
    -H "Authorization: Bearer $BUILDWIRE_TOKEN" "$url" > "$work/page"
  numbers=$(grep -o '"number":' "$work/page" | wc -l)
  [ "$numbers" -gt 0 ] || { echo "not a list" >&2; exit 1; }
  count=$((count + numbers))
  [ "$1" = careless ] && break
  url=$(tr -d '\r' < "$work/head" | sed -n 's/^[Ll]ink:.*<\([^>]*\)>; rel="next".*/\1/p' | tail -n 1)
done
echo "$count builds"
