"""A client in another language, by its standard library alone: lists, writes, jobs, artifacts, errors and a device login."""

import hashlib
import json
import os
import urllib.error
import urllib.parse
import urllib.request

base, auth, token = os.environ["BASE_URL"], os.environ["AUTH_URL"], os.environ["TOKEN"]


def request(method, url, body=None, bearer=token, form=None):
    data = json.dumps(body).encode() if body is not None else None
    headers = {"Accept": "application/json"}
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    if form is not None:
        data = urllib.parse.urlencode(form).encode()
    call = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(call, timeout=20) as answer:
            return answer.status, answer.headers, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, error.headers, json.loads(error.read() or b"null")


def next_link(headers):
    """As simple clients do it: split at commas and semicolons."""
    for part in (headers.get("Link") or "").split(","):
        pieces = [piece.strip() for piece in part.split(";")]
        if 'rel="next"' in pieces[1:]:
            return pieces[0].strip("<>")
    return None


def every(url):
    while url:
        status, headers, items = request("GET", url)
        assert status == 200, (status, items)
        yield from items
        url = next_link(headers)


def check(what, condition):
    print(f"{'ok' if condition else 'not ok'} {what}")
    if not condition:
        raise SystemExit(1)


pipeline = f"{base}/v2/organizations/acme/pipelines/web"
builds = list(every(f"{pipeline}/builds?per_page=25&exclude_jobs=true"))
numbers = [build["number"] for build in builds]
check("pages hold every build once, newest first", len(set(numbers)) == len(numbers) > 50)
check("created_at descends", all(a["created_at"] >= b["created_at"] for a, b in zip(builds, builds[1:])))

branches = urllib.parse.urlencode([("branch", "main"), ("state", "failed"), ("state", "passed")])
some = list(every(f"{pipeline}/builds?{branches}&exclude_jobs=true"))
check("repeated filters are alternatives", all(b["branch"] == "main" and b["state"] in ("failed", "passed") for b in some))

status, headers, made = request("POST", f"{pipeline}/builds", {
    "commit": "HEAD", "branch": "main", "message": "aus Python, mit Ümläuten", "meta_data": {"deploy": True, "n": "1"},
})
check("create answers 201 and a Location", status == 201 and headers["Location"] == made["url"])
status, _, read = request("GET", made["url"])
check("what was sent comes back", (read["message"], read["meta_data"]) == ("aus Python, mit Ümläuten", {"deploy": True, "n": "1"}))

status, _, refused = request("POST", f"{pipeline}/builds", {"message": 7})
check("422 names each field", status == 422 and [e["field"] for e in refused["errors"]] == ["commit", "branch", "message"])
status, headers, refused = request("GET", f"{base}/v2/user", bearer=None)
check("401 has a challenge and a message", status == 401 and "Bearer" in headers["WWW-Authenticate"] and refused["message"])
status, _, refused = request("GET", f"{pipeline}/builds?state=nope")
check("400 lists the valid states", status == 400 and "finished" in refused["message"])

[red, *_] = every(f"{pipeline}/builds?branch=feature/dark-mode&state=failed")
failed = next(job for job in red["jobs"] if job.get("exit_status"))
job = f"{red['url']}/jobs/{failed['id']}"
status, _, read = request("GET", job)
check("a job is read alone", status == 200 and (read["id"], read["state"]) == (failed["id"], "failed"))
[file, *_] = every(f"{red['url']}/artifacts?per_page=1")
check("artifacts have a path and a size", file["path"] == "reports/junit.xml" and file["file_size"] > 0)
check("the job has the same", [one["id"] for one in every(f"{job}/artifacts")] == [file["id"]])


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(Stay)
try:
    opener.open(urllib.request.Request(file["download_url"], headers={"Authorization": f"Bearer {token}"}), timeout=20)
    link = None
except urllib.error.HTTPError as error:
    link = error.headers["Location"] if error.code == 302 else None
check("a download answers 302 and a link", link is not None)
with urllib.request.urlopen(link, timeout=20) as content:
    check("the link needs no token, and holds what was promised", hashlib.sha1(content.read()).hexdigest() == file["sha1sum"])
note = {"body": "**von** Python", "context": "python", "style": "warning"}
status, _, made = request("POST", f"{red['url']}/annotations", note)
check("an annotation is made", status == 201 and "<strong>von</strong> Python" in made["body_html"])
check("and listed", made["id"] in [one["id"] for one in every(f"{red['url']}/annotations?per_page=1")])
status, _, again = request("PUT", f"{job}/retry")
check("a retried job is another one", status == 200 and again["id"] != failed["id"] and again["state"] == "scheduled")
[waiting, *_] = every(f"{pipeline}/builds?state=blocked")
gate = next(job for job in waiting["jobs"] if job["type"] == "manual" and job["state"] == "blocked")
status, _, opened = request("PUT", gate["unblock_url"], {})
check("a job that waits is unblocked", status == 200 and opened["state"] == "unblocked")

client = os.environ["CLIENT_ID"]
status, _, device = request("POST", f"{auth}/oauth/device_authorization", bearer=None, form={"client_id": client, "scope": "read_user"})
check("device authorization", status == 200 and device["expires_in"] == 600 and device["interval"] == 5)
form = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client, "device_code": device["device_code"]}
status, _, answer = request("POST", f"{auth}/oauth/token", bearer=None, form=form)
check("the first poll is pending", (status, answer["error"]) == (400, "authorization_pending"))
status, _, answer = request("POST", f"{auth}/oauth/token", bearer=None, form=form)
check("an early poll is told to slow down", (status, answer["error"]) == (400, "slow_down"))
approve = f"{os.environ['CONTROL_URL']}/device-authorizations/{device['user_code']}/approve"
request("POST", approve, {"user": os.environ["SUBJECT"], "org_slug": "acme"}, bearer=os.environ["CONTROL_TOKEN"])
status, _, granted = request("POST", f"{auth}/oauth/token", bearer=None, form=form)
check("an approved code gives a token", status == 200 and granted["token_type"] == "Bearer")
status, _, user = request("GET", f"{base}/v2/user", bearer=granted["access_token"])
check("the token acts for the user", user["email"] == os.environ["SUBJECT"])
