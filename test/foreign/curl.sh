#!/bin/sh
# Calls every operation of the API by plain curl. Needs BASE_URL, AUTH_URL, TOKEN, SUBJECT (the user of that token),
# SUITE, CONTROL_URL, CONTROL_TOKEN, CLIENT_ID, EXCHANGE_CLIENT_ID, PRIVATE_KEY_FILE, KID and ALG. Prints a line per
# call; exits 1 at the first wrong response.
set -eu
body=$(mktemp)
trap 'rm -f "$body"' EXIT

call() { # call NAME STATUS CURL-ARGUMENTS…
  name=$1
  want=$2
  shift 2
  got=$(curl --silent --show-error --globoff --max-time 20 --output "$body" --write-out '%{http_code}' "$@")
  if [ "$got" != "$want" ]; then
    echo "not ok $name: $got instead of $want: $(head -c 300 "$body")"
    exit 1
  fi
  echo "ok $name $got"
}
rest() { # rest NAME STATUS PATH CURL-ARGUMENTS…
  rest_name=$1
  rest_status=$2
  rest_path=$3
  shift 3
  call "$rest_name" "$rest_status" -H "Authorization: Bearer $TOKEN" "$@" "$BASE_URL$rest_path"
}
has() { grep -q -- "$1" "$body" || { echo "not ok: the answer lacks $1: $(head -c 300 "$body")"; exit 1; }; }
field() { sed -n "s/.*\"$1\":\"\\(\\([^\"\\\\]\\|\\\\.\\)*\\)\".*/\\1/p" "$body" | head -n 1; }
number() { sed -n 's/^[^[]*"number":\([0-9]*\).*/\1/p' "$body" | head -n 1; }
json='Content-Type: application/json'
web=/v2/organizations/acme/pipelines/web

rest builds.list 200 '/v2/builds?per_page=2&exclude_jobs=true'
has '^\[{.*"number":'
rest builds.listForOrganization 200 '/v2/organizations/acme/builds?state[]=failed&state[]=passed&per_page=2'
has '"state":"\(failed\|passed\)"'
rest builds.listForPipeline 200 "$web/builds?branch=main&exclude_pipeline=true&exclude_jobs=true&per_page=1"
has '"branch":"main"'
rest builds.create 201 "$web/builds" -X POST -H "$json" -d '{"commit":"HEAD","branch":"main","message":"by curl"}'
has '"state":"scheduled"'
first=$(number)
rest builds.get 200 "$web/builds/$first?exclude_jobs=true"
has '"message":"by curl"'
rest builds.cancel 200 "$web/builds/$first/cancel" -X PUT
has '"state":"canceled"'
rest 'builds.cancel again' 422 "$web/builds/$first/cancel" -X PUT
rest builds.rebuild 200 "$web/builds/$first/rebuild" -X PUT
second=$(number)
[ "$second" -gt "$first" ] || { echo "not ok: $second does not follow $first"; exit 1; }
rest builds.retryFailedJobs 202 "$web/builds/$first/retry_failed_jobs" -X PUT -H "$json" -d '{"states":"canceled"}'
has '"retried_jobs_count":'
rest 'builds.retryFailedJobs, bad state' 400 "$web/builds/$first/retry_failed_jobs" -X PUT -H "$json" -d '{"states":"passed"}'
rest 'builds.list, no such organization' 404 /v2/organizations/nobody/builds
call 'builds.list, no token' 401 "$BASE_URL/v2/builds"

rest pipelines.list 200 /v2/organizations/acme/pipelines
has '"slug":"web"'
rest pipelines.get 200 "$web"
has '"slug":"web"'
rest organizations.list 200 /v2/organizations
has '"slug":"acme"'
rest organizations.get 200 /v2/organizations/acme
has '"slug":"acme"'
rest user.get 200 /v2/user
has "\"email\":\"$SUBJECT\""
rest accessToken.get 200 /v2/access-token
has '"scopes":'

rest 'builds.listForPipeline, for a job' 200 "$web/builds?state=passed&per_page=1"
log=$(sed -n 's/.*"log_url":"[^"]*\(\/v2\/[^"]*\/log\)".*/\1/p' "$body")
rest jobs.log 200 "$log"
has '"content":"~~~ Preparing working directory'
rest jobs.logText 200 "$log.txt"
has '^~~~ Preparing working directory'
rest 'jobs.logText, its end' 206 "$log.txt" -H 'Range: bytes=-5'
rest jobs.get 200 "${log%/log}"
has '"type":"script"'
rest 'jobs.retry, of one that passed' 400 "${log%/log}/retry" -X PUT

rest 'builds.listForPipeline, for an artifact' 200 "$web/builds?state=failed&branch=feature/dark-mode&per_page=1"
build=$web/builds/$(sed -n 's/^\[{[^[]*"number":\([0-9]*\).*/\1/p' "$body")
rest annotations.list 200 "$build/annotations"
has '"style":"error"'
rest annotations.create 201 "$build/annotations" -X POST -H "$json" -d '{"body":"**by** curl","context":"curl"}'
has '<strong>by</strong> curl'
rest artifacts.list 200 "$build/artifacts"
has '"filename":"junit.xml"'
file=$(sed -n 's/.*"download_url":"[^"]*\(\/v2\/[^"]*\/download\)".*/\1/p' "$body")
job=${file%/artifacts/*}
rest artifacts.listForJob 200 "$job/artifacts"
has '"filename":"junit.xml"'
rest artifacts.download 302 "$file"
has '"url":"http'
link=$(field url)
call 'the artifact, without a token' 200 "$link"
has '<testsuite'
rest jobs.retry 200 "$job/retry" -X PUT
has '"state":"scheduled"'
rest 'builds.listForPipeline, for a job that waits' 200 "$web/builds?state=blocked&per_page=1"
unblock=$(sed -n 's/.*"unblock_url":"[^"]*\(\/v2\/[^"]*\/unblock\)".*/\1/p' "$body")
rest jobs.unblock 200 "$unblock" -X PUT -H "$json" -d '{}'
has '"state":"unblocked"'

tests=/v2/analytics/organizations/acme/suites/$SUITE/tests
rest tests.list 200 "$tests?per_page=1"
id=$(field id)
scope=$(field scope)
test_name=$(field name)
rest tests.get 200 "$tests/$id"
has "\"id\":\"$id\""
rest tests.find 200 "$tests/find" -X POST -H "$json" -d "{\"scope\":\"$scope\",\"name\":\"$test_name\"}"
has "\"id\":\"$id\""
rest tests.changeLabels 200 "$tests/$id/labels" -X PATCH -H "$json" -d '{"operator":"add","labels":["by-curl"]}'
has '"by-curl"'

rest graphql 200 /graphql -X POST -H "$json" -d '{"query":"{ viewer { email } }"}'
has '"email":'

call oauth.deviceAuthorization 200 -d "client_id=$CLIENT_ID" --data-urlencode 'scope=read_builds read_user' "$AUTH_URL/oauth/device_authorization"
device_code=$(field device_code)
user_code=$(field user_code)
grant='grant_type=urn:ietf:params:oauth:grant-type:device_code'
call 'oauth.token, pending' 400 -d "$grant" -d "client_id=$CLIENT_ID" -d "device_code=$device_code" "$AUTH_URL/oauth/token"
has authorization_pending
call 'the user approves' 200 -X POST -H "Authorization: Bearer $CONTROL_TOKEN" -H "$json" -d "{\"user\":\"$SUBJECT\",\"org_slug\":\"acme\"}" "$CONTROL_URL/device-authorizations/$user_code/approve"
call 'oauth.token, device grant' 200 -d "$grant" -d "client_id=$CLIENT_ID" -d "device_code=$device_code" "$AUTH_URL/oauth/token"
has '"token_type":"Bearer"'

base64url() { base64 | tr -d '\n=' | tr '+/' '-_'; }
now=$(date +%s)
header=$(printf '{"alg":"%s","typ":"JWT","kid":"%s"}' "$ALG" "$KID" | base64url)
claims=$(printf '{"iss":"%s","sub":"%s","aud":"%s/oauth/token","iat":%s,"exp":%s,"jti":"curl-%s"}' "$EXCHANGE_CLIENT_ID" "$EXCHANGE_CLIENT_ID" "$AUTH_URL" "$now" "$((now + 120))" "$now-$$" | base64url)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$PRIVATE_KEY_FILE" -binary | base64url)
call 'oauth.token, exchange' 200 \
  -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \
  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \
  -d "client_assertion=$header.$claims.$signature" \
  --data-urlencode "subject_token=$SUBJECT" \
  -d subject_token_type=urn:buildwire:params:oauth:token-type:user-email \
  -d audience=acme -d scope=read_user "$AUTH_URL/oauth/token"
minted=$(field access_token)
call 'user.get as the user' 200 -H "Authorization: Bearer $minted" "$BASE_URL/v2/user"
has "$SUBJECT"
call accessToken.revoke 204 -X DELETE -H "Authorization: Bearer $minted" "$BASE_URL/v2/access-token"
call 'user.get, revoked' 401 -H "Authorization: Bearer $minted" "$BASE_URL/v2/user"
