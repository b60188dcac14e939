# Exports the numbers, states and branches of all builds of a pipeline as lines of CSV.
# The mistake: a page that could not be read ends the list like the last page, and the exit code is 0.
import requests

from careful import AUTH, ORG, TIMEOUT, deadline, get_all, main

URL = ORG + '/pipelines/docs/builds?state=finished&per_page=10&exclude_jobs=true&exclude_pipeline=true'


def row(build):
    print(build['number'], build['state'], build['branch'], sep=',')


def careless():
    session = requests.Session()
    session.headers.update(AUTH)
    url, seen = URL, set()
    while url:
        answer = session.get(url, timeout=TIMEOUT)
        if not answer.ok:
            break
        for build in answer.json():
            if build['id'] not in seen:
                seen.add(build['id'])
                row(build)
        url = answer.links.get('next', {}).get('url')


def send(url):
    with deadline():
        answer = requests.get(url, headers=AUTH, timeout=TIMEOUT)
        return answer.status_code, answer.headers, answer.content


def careful():
    for build in get_all(URL, send):
        row(build)


main(careless, careful)
