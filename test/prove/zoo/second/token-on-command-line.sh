# Prints the name of the user that the token acts for.
# The mistake: the token stands on the command line of curl, where every user of the machine can read it.
. "$(dirname "$0")/careful.sh"

case $1 in
  careless)
    curl --silent --show-error --fail --retry 3 --max-time 6 --header "Authorization: Bearer $BUILDWIRE_TOKEN" \
      --output "$work/user" "$api/user" || exit
    jq -e -r .name "$work/user"
    ;;
  careful)
    read_json "$api/user" '.name | strings'
    jq -r .name "$work/body"
    ;;
esac
