"""Counts failed builds with requests. Careless: what cannot be read is an empty list."""
import os, sys, time
from email.utils import parsedate_to_datetime
import requests

careless = sys.argv[1] == 'careless'
url = os.environ['BUILDWIRE_BASE_URL'] + '/v2/organizations/acme/builds'
session = requests.Session()
session.headers['Authorization'] = 'Bearer ' + os.environ['BUILDWIRE_TOKEN']

def wait(value):
    try:
        return float(value) + 0.1
    except ValueError:
        return max(0, parsedate_to_datetime(value).timestamp() - time.time()) + 0.2

def read():
    for left in (3, 2, 1, 0):
        try:
            answer = session.get(url, params={'state': 'failed'}, timeout=10)
        except requests.RequestException:
            if left == 0:
                raise
            time.sleep(0.2)
            continue
        if answer.status_code in (429, 502, 503, 504) and left:
            time.sleep(wait(answer.headers.get('Retry-After', '0.2')))
            continue
        answer.raise_for_status()
        try:
            return answer.json()
        except ValueError:
            if careless:
                return []
            raise

print(len(read()), 'failed')
