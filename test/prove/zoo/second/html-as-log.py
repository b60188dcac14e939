# Saves the log of the first job of the newest finished build and tells its size.
# The mistake: any answer with status 200 is a log, also a page of a proxy or nothing at all.
import os
import tempfile
import urllib.request

from careful import AUTH, ORG, TIMEOUT, get_list, main, once, patiently

NEWEST = ORG + '/pipelines/nightly/builds?state=passed&per_page=1'


def log_url():
    builds = get_list(NEWEST)
    if not builds:
        raise RuntimeError('No build has passed')
    return next(job['raw_log_url'] for job in builds[0]['jobs'] if job['type'] == 'script')


def save(log):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'job.log')
        with open(path, 'wb') as file:
            file.write(log)
        print('Saved', os.path.getsize(path), 'bytes')


def careless():
    request = urllib.request.Request(log_url(), headers=AUTH)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        if response.status == 200:
            save(response.read())


def careful():
    url = log_url()

    def as_log(headers, body):
        if not headers.get('Content-Type', '').startswith('text/plain'):
            raise ValueError('The answer is no log: ' + headers.get('Content-Type', 'without a type'))
        if not body:
            raise ValueError('The log of a finished job is empty')
        return body

    save(patiently(lambda: once(url), as_log))


main(careless, careful)
