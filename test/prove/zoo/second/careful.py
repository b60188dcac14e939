"""What the careful twins share: a deadline for each request, a few tries, an honest end."""

import contextlib
import email.utils
import http.client
import json
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.request
import uuid

API = os.environ['BUILDWIRE_BASE_URL'] + '/v2'
ORG = API + '/organizations/' + os.environ.get('BUILDWIRE_ORG', 'acme')
AUTH = {'Authorization': 'Bearer ' + os.environ['BUILDWIRE_TOKEN']}
TIMEOUT = 6
PASSING = (429, 500, 502, 503, 504)


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(f'The service answered {status}: {text[:200]}')
        self.status = status


def main(careless, careful):
    """Runs the twin that the command line names. The careful one says what went wrong, and fails."""
    if sys.argv[1] == 'careless':
        return careless()
    try:
        careful()
    except Exception as error:
        sys.exit(f'{os.path.basename(sys.argv[0])}: {error or type(error).__name__}')


@contextlib.contextmanager
def deadline(seconds=TIMEOUT + 1):
    """Ends a request that drips on, which a socket's timeout alone does not."""

    def late(*_):
        raise TimeoutError('No whole answer in time')

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def once(url, method='GET', data=None, headers=AUTH):
    """One request by urllib: status, headers and the whole body."""
    request = urllib.request.Request(url, data, headers, method=method)
    with deadline():
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.headers, refusal.read()


def wait_after(headers, tried):
    said = headers and (headers.get('Retry-After') or headers.get('RateLimit-Reset'))
    if not said:
        return 0.2 * 2 ** (tried - 1)
    if said.isdigit():
        return int(said)
    date = headers.get('Date')
    now = email.utils.parsedate_to_datetime(date).timestamp() if date else time.time()
    return max(0, email.utils.parsedate_to_datetime(said).timestamp() - now)


def patiently(send, use, again=lambda status: status is None or status in PASSING):
    """Calls send up to four times until use can use its answer."""
    for tried in range(1, 5):
        headers = status = None
        try:
            code, received, body = send()
            if not 200 <= code < 300:
                status, headers = code, received
                raise Refused(code, body.decode('utf-8', 'replace'))
            return use(received, body)
        except (Refused, ValueError, OSError, http.client.HTTPException) as error:
            if tried == 4 or not again(status):
                raise
            wait = wait_after(headers, tried)
            if wait > 60:
                raise RuntimeError(f'{error} (it wants {wait:.0f} s of patience)') from error
            time.sleep(wait)


def as_json(headers, body):
    if 'json' not in headers.get('Content-Type', ''):
        raise ValueError('The answer is not JSON')
    return json.loads(body)


def as_list(headers, body):
    records = as_json(headers, body)
    if not isinstance(records, list):
        raise ValueError('The answer is not a list')
    return records


def as_build(headers, body):
    build = as_json(headers, body)
    if not isinstance(build, dict) or not isinstance(build.get('number'), int) or not build.get('state'):
        raise ValueError('The answer is no build')
    return build


def get_build(url, send=once):
    return patiently(lambda: send(url), as_build)


def get_list(url, send=once):
    return patiently(lambda: send(url), as_list)


def get_all(url, send=once):
    """A whole list, page by page, each record once."""
    records = {}
    while url:
        link, page = patiently(lambda: send(url), lambda headers, body: (headers.get('Link', ''), as_list(headers, body)))
        records.update((record['id'], record) for record in page)
        found = re.search(r'<([^>]+)>;\s*rel="next"', link or '')
        url = found and found.group(1)
        if url and not url.startswith(API + '/'):
            raise RuntimeError('The next page lies elsewhere')
    return list(records.values())


def start(pipeline, **fields):
    """Starts one build. When the answer is lost, it looks for the build instead of starting another."""
    marker = str(uuid.uuid4())
    builds = f'{ORG}/pipelines/{pipeline}/builds'
    body = {'commit': 'HEAD', 'branch': 'main', **fields, 'meta_data': {'request': marker}}
    data = json.dumps(body).encode()
    headers = {**AUTH, 'Content-Type': 'application/json'}
    try:
        return patiently(lambda: once(builds, 'POST', data, headers), as_build, lambda status: status == 429)
    except Exception as error:
        if isinstance(error, Refused) and error.status < 500:
            raise
        found = get_list(f'{builds}?meta_data[request]={marker}&exclude_jobs=true')
        if not found:
            raise RuntimeError(f'{error} (and no new build is to be seen)') from error
        return found[0]


def over(url, patience=90, send=once):
    """Waits until a build is over, which it is not while it waits at a gate; not for ever."""
    ends = ('passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed')
    until = time.monotonic() + patience
    while True:
        build = get_build(url + '?exclude_jobs=true', send)
        if build.get('blocked'):
            raise RuntimeError(f'Build {build["number"]} waits at a gate for a person')
        if build['state'] in ends or build.get('finished_at'):
            return build
        if time.monotonic() > until:
            raise RuntimeError(f'Build {build["number"]} is still {build["state"]}')
        time.sleep(1)
