import type { Animal, Expected } from '../animal.js'

const list = 'builds.listForPipeline'

function animal(file: string, stack: string, does: string, mistake: string, shown: string): Animal {
  return { name: file.split('.')[0] ?? file, file, stack, does, mistake, shown, seen: true }
}

/** Each mistake of the first half with the rows that show it. */
const table: readonly (readonly [Animal, Expected])[] = [
  [
    animal(
      'retries-writes.js',
      'fetch',
      'Creates a build.',
      'It sends the write again until an answer can be read.',
      'The answer is lost after the work is done.',
    ),
    { rows: ['after-commit/builds.create'], as: 'harm' },
  ],
  [
    animal(
      'fresh-body.js',
      'got',
      'Creates a build.',
      'It sends the write again, with a new message.',
      'The answer is lost after the work is done.',
    ),
    { rows: ['after-commit/builds.create'], as: 'harm' },
  ],
  [
    animal(
      'ignores-retry-after.js',
      'fetch',
      'Reads two lists at a time, and a build.',
      'It waits 100 ms before each attempt.',
      '503 with Retry-After.',
    ),
    { rows: [`unavailable/${list}`], as: 'harm' },
  ],
  [
    animal(
      'forgets-slow-down.js',
      'fetch',
      'Logs in by a device code.',
      'It keeps the interval after slow_down.',
      'slow_down.',
    ),
    { rows: ['slow-down/device'], as: 'harm' },
  ],
  [
    animal(
      'polls-after-denial.js',
      'fetch',
      'Logs in by a device code.',
      'It polls on after a refusal.',
      'The user denies.',
    ),
    { rows: ['denied/device'], as: 'harm' },
  ],
  [
    animal(
      'follows-any-link.js',
      'fetch',
      'Walks over three pages.',
      'It takes its token wherever a Link leads.',
      'The next page is at another origin.',
    ),
    { rows: [`link/${list}`], as: 'harm' },
  ],
  [
    animal(
      'exchanges-per-call.js',
      'fetch',
      'Reads as a user.',
      'It exchanges a token for each call.',
      'Always.',
    ),
    { rows: ['plain'], as: 'harm' },
  ],
  [
    animal(
      'refreshes-twice.js',
      'fetch',
      'Refreshes a login.',
      'It sends a refresh token again.',
      'The answer is lost after the token is replaced.',
    ),
    { rows: ['after-commit/refresh'], as: 'harm' },
  ],
  [
    animal(
      'old-refresh-token.js',
      'fetch',
      'Reads under a login.',
      'It keeps the first refresh token.',
      'The token ends twice.',
    ),
    { rows: [`login-ends/${list}`], as: 'harm' },
  ],
  [
    animal(
      'knows-all-states.js',
      'fetch',
      'Shows a build.',
      'It throws at a state that it does not know.',
      'A state that is new.',
    ),
    { rows: ['unknown/builds.get'], as: 'harm' },
  ],
  [
    animal(
      'takes-refusals.js',
      'fetch',
      'Starts two builds.',
      'It takes a refusal for a build.',
      'The create is refused.',
    ),
    { rows: ['unavailable/builds.create', 'server-error/builds.create'], as: 'harm' },
  ],
  [
    animal(
      'counts-pages.js',
      'ky',
      'Prints 60 builds.',
      'It counts pages and prints what comes.',
      'A build is created between two pages.',
    ),
    { rows: [`insertion/${list}`], as: 'harm' },
  ],
  [
    animal(
      'insists.js',
      'axios',
      'Reads two lists.',
      'It asks again with a token that was refused.',
      'The token ends.',
    ),
    { rows: [`token-ends/${list}`], as: 'harm' },
  ],
  [
    animal(
      'empty-is-none.js',
      'axios',
      'Counts failed builds.',
      'It takes an empty answer for an empty list.',
      '200 without a body, or 204.',
    ),
    { rows: [`empty/${list}`, `no-content/${list}`], as: 'harm' },
  ],
  [
    animal(
      'knows-passed-only.js',
      'got',
      'Starts a build and waits for it.',
      'It waits for passed alone.',
      'The build fails.',
    ),
    { rows: ['build-fails/builds.get', 'build-canceled/builds.get'], as: 'harm' },
  ],
  [
    animal(
      'canceling-is-over.js',
      'undici',
      'Watches a build twice.',
      'It takes canceling for an end.',
      'The build takes a while to be canceled.',
    ),
    { rows: ['build-canceling/builds.get', 'build-unknown/builds.get'], as: 'harm' },
  ],
  [
    animal(
      'follows-redirects.js',
      'node:http',
      'Reads a list.',
      'It takes its token along to another origin.',
      'A redirect.',
    ),
    { rows: [`redirect/${list}`], as: 'harm' },
  ],
  [
    animal(
      'page-lost.py',
      'urllib',
      'Counts builds.',
      'A page that cannot be read ends the list.',
      'The second page is refused.',
    ),
    { rows: [`unavailable/${list}:page-2`, `before-commit/${list}:page-2`], as: 'harm' },
  ],
  [
    animal(
      'unreadable-is-none.py',
      'requests',
      'Counts failed builds.',
      'What is not JSON is an empty list.',
      'HTML with 200, or half of the answer.',
    ),
    {
      rows: ['html/builds.listForOrganization', 'truncated/builds.listForOrganization'],
      as: 'harm',
    },
  ],
  [
    animal(
      'no-log.py',
      'requests',
      'Prints a log.',
      'A log that is refused is not there.',
      'The log is refused.',
    ),
    { rows: ['unavailable/jobs.logText'], as: 'note' },
  ],
  [
    animal(
      'one-try.sh',
      'curl',
      'Reads a list.',
      'It sends a read once.',
      'The connection breaks.',
    ),
    { rows: [`before-commit/${list}`], as: 'harm' },
  ],
  [
    animal(
      'first-page.sh',
      'curl',
      'Counts all builds.',
      'It reads the first page alone.',
      'Always.',
    ),
    { rows: ['plain'], as: 'note' },
  ],
  [
    animal(
      'cancel-unread.rb',
      'net/http',
      'Starts a build and cancels it.',
      'It does not look at the answer.',
      'The cancel is refused.',
    ),
    { rows: ['unavailable/builds.cancel', 'before-commit/builds.cancel'], as: 'harm' },
  ],
  [
    animal(
      'date-is-now.rb',
      'net/http',
      'Reads the newest build.',
      'It takes a date in Retry-After for no wait.',
      'Retry-After as a date.',
    ),
    { rows: [`retry-date/${list}`], as: 'harm' },
  ],
  [
    animal(
      'endless.go',
      'Go',
      'Reads the newest build.',
      'It tries until there is an answer.',
      'The service is away for good.',
    ),
    { rows: [`away/${list}`], as: 'harm' },
  ],
  [
    animal(
      'gate-is-passed.go',
      'Go',
      'Starts a build and waits for it.',
      'It takes a build at a gate for one that passed.',
      'The build waits at a gate.',
    ),
    { rows: ['build-blocked/builds.get'], as: 'harm' },
  ],
  [
    animal(
      'second-list.js',
      'fetch',
      'Counts the builds of two states.',
      'The second list that cannot be read is empty.',
      'The second list of the same address is refused.',
    ),
    { rows: [`unavailable/${list}:later`], as: 'harm' },
  ],
  [
    animal(
      'impatient.js',
      'fetch',
      'Creates a build.',
      'It sends the write again after its own time limit.',
      'The answer comes after 20 s.',
    ),
    { rows: ['silent/builds.create'], as: 'harm' },
  ],
  [
    animal(
      'waits-by-list.js',
      'fetch',
      'Starts a build and waits for it in a list.',
      'It takes each end for a success.',
      'The build fails.',
    ),
    { rows: [`build-fails/${list}`], as: 'harm' },
  ],
  [
    animal(
      'no-token.js',
      'fetch',
      'Reads as a user.',
      'It passes without a token.',
      'The exchange is refused.',
    ),
    { rows: ['unavailable/exchange'], as: 'harm' },
  ],
  [
    animal(
      'prints-token.js',
      'fetch',
      'Reads as a user.',
      'It prints the token of the exchange.',
      'Always.',
    ),
    { rows: ['plain'], as: 'harm' },
  ],
]

const waiters = ['knows-passed-only', 'canceling-is-over', 'gate-is-passed', 'waits-by-list']

export const animals: readonly Animal[] = table.map(([one]) =>
  waiters.includes(one.name) ? Object.assign({}, one, { server: ['--speed', '20'] }) : one,
)

export const expected: Readonly<Record<string, Expected>> = Object.fromEntries(
  table.map(([{ name }, where]) => [name, where]),
)
