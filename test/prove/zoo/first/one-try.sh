# Reads a list with curl. Careless: sends it once.
set -eu
url="$BUILDWIRE_BASE_URL/v2/organizations/acme/pipelines/web/builds?per_page=1"
if [ "$1" = careless ]; then
  curl -sS --fail -H "Authorization: Bearer $BUILDWIRE_TOKEN" "$url" > /dev/null
else
  curl -sS --fail --max-time 10 --retry 4 --retry-all-errors -H "Authorization: Bearer $BUILDWIRE_TOKEN" "$url" > /dev/null
fi
echo read
