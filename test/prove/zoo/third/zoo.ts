import type { Animal } from '../animal.js'

const quick = ['--speed', '60']

export const animals: readonly Animal[] = [
  {
    name: 'accepted-is-done',
    file: 'accepted-is-done.js',
    stack: 'fetch',
    does: 'Runs the failed jobs of the newest failed build again and says how they ended.',
    mistake:
      'It takes 202 for the end: it says that all is well and exits with 0 before a job has run.',
    shown: 'Always, and wrongly when the jobs fail again.',
    seen: true,
    server: quick,
  },
  {
    name: 'filter-lost',
    file: 'filter-lost.js',
    stack: 'undici',
    does: 'Counts the passed builds of a pipeline.',
    mistake:
      'Of the next link it takes the page number only, and asks for that page without the filter.',
    shown: 'The list has a second page.',
    seen: true,
  },
  {
    name: 'token-forever',
    file: 'token-forever.js',
    stack: 'node:http',
    does: 'Watches three pipelines under a token of the token exchange.',
    mistake:
      'It keeps the token for ever, and a 401 in the middle ends the run instead of a new exchange.',
    shown: 'The token ends or is revoked during the run: 401 at a later read.',
    seen: true,
  },
  {
    name: 'cached-wait',
    file: 'cached-wait.js',
    stack: 'got',
    does: 'Starts a build and waits until it is over.',
    mistake: 'A cache without an end stands before its reads, so it sees the first state for ever.',
    shown: 'The build is not over at the first read.',
    seen: true,
    server: quick,
  },
  {
    name: 'finished-is-good',
    file: 'finished-is-good.js',
    stack: 'axios',
    does: 'Starts a build of the docs with the newest good commit.',
    mistake:
      'It takes the newest finished build for a good one; a canceled or failed one is finished too.',
    shown: 'The newest finished build of main is canceled or failed.',
    seen: false,
    why_unseen:
      'The server sees a build that failed and a new build of its commit; a program that builds a failed commit again sends the same requests.',
  },
  {
    name: 'last-is-newest',
    file: 'last-is-newest.js',
    stack: 'fetch',
    does: 'Cancels the newest build of a branch.',
    mistake: 'It takes the last of the list for the newest and cancels the oldest one.',
    shown: 'The branch has more than one build.',
    seen: false,
    why_unseen:
      "The server sees a good cancel of a build that may be canceled; which one was meant stands in nobody's request.",
  },
  {
    name: 'one-job-decides',
    file: 'one-job-decides.js',
    stack: 'got',
    does: 'Starts a build, waits for it, and starts the docs when it has passed.',
    mistake: 'The first job decides, while others still run or fail.',
    shown: 'The first job passes and the build is not over, or fails later.',
    seen: true,
    server: quick,
  },
  {
    name: 'all-at-once',
    file: 'all-at-once.js',
    stack: 'undici',
    does: 'Reads each of the newest forty builds by itself.',
    mistake: 'All forty requests leave at the same moment.',
    shown: 'Always; with a rate limit most of them are refused at once.',
    seen: false,
    why_unseen:
      'The server answers so quickly that forty requests at one time look like forty that follow each other.',
  },
  {
    name: 'adopts-newest',
    file: 'adopts-newest.js',
    stack: 'fetch',
    does: 'Starts a build as a probe and cancels it again.',
    mistake:
      "When the answer is lost it takes the newest build for its own and cancels somebody else's.",
    shown: 'The answer to the create is lost, and no build was made or somebody made a newer one.',
    seen: true,
  },
  {
    name: 'stops-at-first-refusal',
    file: 'stops-at-first-refusal.js',
    stack: 'axios',
    does: 'Starts three builds of a branch and cancels them all.',
    mistake: 'The first refusal ends the loop, and the builds after it run on.',
    shown: 'One of the cancels is refused for good: 403, or 422 because the build is over.',
    seen: false,
    why_unseen:
      'The server sees a program that stops at a refusal and exits with 1, as careful ones do as well; that two more builds were to be canceled it does not know.',
  },
  {
    name: 'cancels-while-paging',
    file: 'cancels-while-paging.js',
    stack: 'fetch',
    does: 'Cancels all builds of a branch that are not over, two on a page.',
    mistake:
      'It cancels while it turns the pages of a list that gets shorter, and skips every second page.',
    shown: 'More than one page of builds is not over.',
    seen: true,
  },
  {
    name: 'retried-is-failed',
    file: 'retried-is-failed.js',
    stack: 'got',
    does: 'Says how many of the newest thirty builds are red.',
    mistake:
      'It counts builds that have any failed run of a job, also when the job passed when run again.',
    shown: 'A build passed after a job was retried.',
    seen: false,
    why_unseen:
      'The server sees one list that was asked for and read in order; the wrong number is printed only.',
  },
  {
    name: 'assertion-reused',
    file: 'assertion-reused.js',
    stack: 'fetch',
    does: 'Gets a token by the token exchange and reads the newest build.',
    mistake: 'Every try shows the same assertion, whose jti is spent after the first one.',
    shown: 'The exchange is done and its answer is lost, cut, empty or HTML.',
    seen: true,
  },
  {
    name: 'walks-in-circles',
    file: 'walks-in-circles.js',
    stack: 'axios',
    does: 'Counts the builds of a pipeline.',
    mistake:
      'It takes the first link of the header for the next page and goes back and forth, up to 25 pages.',
    shown: 'A page links to the previous or the first one, as the last page does.',
    seen: true,
  },
  {
    name: 'unencoded-branch',
    file: 'unencoded-branch.js',
    stack: 'node:http',
    does: 'Starts a build of the branch try/c++20 and counts the builds of that branch.',
    mistake:
      'The name goes into the query as it is, where + is a space, so nothing is found: "may go".',
    shown: 'Always.',
    seen: false,
    why_unseen:
      'The server sees a good question about a branch "try/c  20" that has no builds; that the program meant another one is not in the request.',
  },
]
