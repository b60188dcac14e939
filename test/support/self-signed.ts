/** A certificate for this machine only, and its key. They are not valid anywhere else. */
export const selfSigned = (): { readonly cert: string; readonly key: string } => ({ cert, key })

const cert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUOa0Sn7lhB2BU8NgbKfkLaJndDaowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODAxMDMwM1oYDzIxMjYxMTA0
MDEwMzAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARPVoPGD0hQOKoh2qUUu9b6/Ij+xyWGcy3rxuc0bsoYonF4kBxHjnTc
cWH3JY5Jm/P+pYKBfEg2nMc9p0y2d3ozo28wbTAdBgNVHQ4EFgQUnjZ5vRYCH8EY
D0NtlcRpEeN0MbgwHwYDVR0jBBgwFoAUnjZ5vRYCH8EYD0NtlcRpEeN0MbgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALUNnp7M8+OOXylUmtNk38b4yYuz4H270bI+jY9Xlt/gAiBR
zkLePyh1A3poiSIoHEaPaEgA8O7o1lmcQEEi4nTatQ==
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXoPkXOjtHKd8XPM1
RIYaRPVD1Xhq9HKSgYIs4964lVKhRANCAARPVoPGD0hQOKoh2qUUu9b6/Ij+xyWG
cy3rxuc0bsoYonF4kBxHjnTccWH3JY5Jm/P+pYKBfEg2nMc9p0y2d3oz
-----END PRIVATE KEY-----
`
