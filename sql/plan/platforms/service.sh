set -eu

: "${DB2_SERVICE:?set it to the address of the REST API, with https://}"
: "${DB2_PROFILE:?set it to the URL-encoded CRN of the deployment}"
: "${DB2_HEADER:?set it to a file with the line: Authorization: Bearer <token>}"

post() {  # body
    curl --fail --silent --show-error --request POST "$DB2_SERVICE/manage/deployments/custom_setting" \
        --header "x-db-profile: $DB2_PROFILE" --header "@$DB2_HEADER" \
        --header 'Content-Type: application/json' --data "$1"
    echo
}
