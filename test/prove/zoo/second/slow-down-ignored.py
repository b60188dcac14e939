# Logs a person in on a device and prints the scopes that were granted.
# The mistake: it goes on polling at the first interval after the service told it to slow down.
import json
import os
import time
import urllib.parse

from careful import as_json, main, once, patiently

AUTH_URL = os.environ['BUILDWIRE_AUTH_URL']
CONTROL = os.environ['BUILDWIRE_CONTROL_URL']
CLIENT = {'client_id': 'demo-terminal'}


def post(path, **fields):
    data = urllib.parse.urlencode({**CLIENT, **fields}).encode()
    return once(AUTH_URL + path, 'POST', data, {})


def codes():
    answer = patiently(lambda: post('/oauth/device_authorization', scope='read_builds read_user'), as_json)
    # The person at the browser, whose part is played over the control API.
    person = json.dumps({'user': 'robin@acme.example', 'org_slug': 'acme'}).encode()
    bearer = 'Bearer ' + os.environ['BUILDWIRE_CONTROL_TOKEN']
    headers = {'Authorization': bearer, 'Content-Type': 'application/json'}
    url = f'{CONTROL}/device-authorizations/{answer["user_code"]}/approve'
    if once(url, 'POST', person, headers)[0] >= 300:
        raise RuntimeError('The login was not approved')
    return answer


def poll(code):
    grant = 'urn:ietf:params:oauth:grant-type:device_code'
    return post('/oauth/token', grant_type=grant, device_code=code)


def careless():
    answer = codes()
    interval = answer['interval']
    for _ in range(12):
        time.sleep(interval)
        status, headers, body = poll(answer['device_code'])
        token = as_json(headers, body)
        if status == 200:
            return print(token['scope'])
        if token['error'] not in ('authorization_pending', 'slow_down'):
            raise SystemExit('No login: ' + token['error'])
    raise SystemExit('Nobody approved the login')


def careful():
    answer = codes()
    interval = answer.get('interval', 5)
    end = time.monotonic() + min(answer['expires_in'], 120)
    while time.monotonic() < end:
        time.sleep(interval)
        try:
            status, headers, body = poll(answer['device_code'])
        except OSError:
            interval *= 2
            continue
        if status == 429 or status >= 500:
            said = headers.get('Retry-After', '')
            interval = max(interval * 2, int(said) if said.isdigit() else 0)
            continue
        token = as_json(headers, body)
        if status == 200:
            return print(token['scope'])
        if token['error'] == 'slow_down':
            interval += 5
        elif token['error'] != 'authorization_pending':
            raise RuntimeError('No login: ' + token['error'])
    raise RuntimeError('Nobody approved the login')


main(careless, careful)
