# Prints how long builds of a pipeline waited on average before they started.
# The mistake: a build that never started counts as one that waited no time.
from datetime import datetime

from careful import ORG, get_all, main

URL = ORG + '/pipelines/docs/builds?per_page=100&exclude_jobs=true&exclude_pipeline=true'


def seconds(build):
    created, started = (
        datetime.fromisoformat(build[key].replace('Z', '+00:00')) for key in ('created_at', 'started_at')
    )
    return (started - created).total_seconds()


def show(waits):
    print(f'{sum(waits) / len(waits):.1f} s' if waits else 'No build has started')


def careless():
    show([seconds(build) if build['started_at'] else 0 for build in get_all(URL)])


def careful():
    show([seconds(build) for build in get_all(URL) if build['started_at']])


main(careless, careful)
