# Rebuilds the newest failed build.
# The mistake: the retries of its session include PUT, and each PUT of a rebuild that arrives makes a build.
import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from careful import AUTH, ORG, TIMEOUT, Refused, as_build, deadline, get_list, main, patiently

BUILDS = ORG + '/pipelines/docs/builds'
NEWEST = BUILDS + '?state=failed&per_page=1&exclude_jobs=true'


def show(build):
    print('Build', build['number'])


def careless():
    session = requests.Session()
    session.headers.update(AUTH)
    retries = Retry(total=4, backoff_factor=0.3, status_forcelist=[429, 500, 502, 503, 504])
    session.mount('http://', HTTPAdapter(max_retries=retries))
    session.mount('https://', HTTPAdapter(max_retries=retries))
    newest = session.get(NEWEST, timeout=TIMEOUT)
    newest.raise_for_status()
    number = newest.json()[0]['number']
    answer = session.put(f'{BUILDS}/{number}/rebuild', timeout=TIMEOUT)
    answer.raise_for_status()
    show(answer.json())


def careful():
    failed = get_list(NEWEST)
    if not failed:
        raise RuntimeError('No build has failed')
    url = f'{BUILDS}/{failed[0]["number"]}/rebuild'

    def send():
        with deadline():
            answer = requests.put(url, headers=AUTH, timeout=TIMEOUT)
            return answer.status_code, answer.headers, answer.content

    before = {build['id'] for build in get_list(BUILDS + '?per_page=100&exclude_jobs=true')}
    try:
        build = patiently(send, as_build, lambda status: status == 429)
    except Exception as error:
        if isinstance(error, Refused) and error.status < 500:
            raise
        # The answer is lost. The new build, if there is one, names the build that it replays.
        newer = get_list(BUILDS + '?per_page=100&exclude_jobs=true')
        source = failed[0]['id']
        found = [b for b in newer if b['id'] not in before and (b['rebuilt_from'] or {}).get('id') == source]
        if not found:
            raise RuntimeError(f'{error} (and no new build is to be seen)') from error
        build = found[0]
    show(build)


main(careless, careful)
