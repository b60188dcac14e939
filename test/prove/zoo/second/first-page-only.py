# Lists all failed builds of the docs for a review.
# The mistake: it reads one page and takes it for the whole list.
import json
import urllib.request

from careful import AUTH, ORG, TIMEOUT, get_all, main

URL = ORG + '/pipelines/docs/builds?state=failed&per_page=100&exclude_jobs=true&exclude_pipeline=true'


def show(builds):
    for build in builds:
        print(build['number'], build['branch'], build['message'] or '(no message)')
    print(len(builds), 'failed builds in all')


def careless():
    request = urllib.request.Request(URL, headers=AUTH)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        show(json.load(response))


def careful():
    show(get_all(URL))


main(careless, careful)
