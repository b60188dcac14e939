"""The habits of programs in Python: JSON called a form, True in a query, Link split at commas, numbers as texts."""

import json
import os
import re
import urllib.parse
import urllib.request

base, token, recorded = os.environ["BASE_URL"], os.environ["TOKEN"], os.environ["DIALECT"] == "recorded"
builds = f"{base}/v2/organizations/acme/pipelines/web/builds"


def call(url, body=None):
    # urllib declares a body as a form if no content type is set.
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer), answer.headers


def check(what, condition):
    print(f"{'ok' if condition else 'not ok'} {what}")
    if not condition:
        raise SystemExit(1)


branch = "habit, with; signs"
for number in ("17", "18", "19"):
    change = {"commit": "HEAD", "branch": branch, "pull_request_id": number, "meta_data": {"canary": True}}
    made, _ = call(builds, change)
    check("a pull request's number may be a text", made["pull_request"]["id"] == number)

found, pages = [], []
url = f"{builds}?{urllib.parse.urlencode({'branch': branch, 'exclude_jobs': True, 'per_page': 1})}"
while url:
    page, headers = call(url)
    found += page
    url = None
    for part in (headers.get("Link") or "").split(","):
        pieces = part.split(";")
        if len(pieces) == 2 and pieces[1].strip() == 'rel="next"':
            url = pieces[0].strip()[1:-1]
            pages.append(int(re.search(r"[?&]page=(\d+)&", url)[1]))
check("a Link that is split at commas leads through every page", [build["number"] for build in found] == sorted((build["number"] for build in found), reverse=True) and len(found) == 3)
check("a page's number can be cut out of it", pages == [2, 3])
check("True is true", all("jobs" not in build for build in found))

texts = all(isinstance(value, str) for build in found for value in build["meta_data"].values())
check("meta-data are texts where the dialect says so", texts == recorded)
plain, _ = call(builds, {"commit": "HEAD", "branch": "main"})
check("no pull request is None where the dialect says so", (plain["pull_request"] is None) == recorded)
