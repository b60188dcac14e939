import { list } from './proof.js'

/** The clients of `mistakes.js`, with the rows that harm each of them. */
export const naive: Readonly<Record<string, readonly string[]>> = {
  'retries-writes': [
    'after-commit/builds.create',
    'bad-gateway/builds.create',
    'truncated/builds.create',
  ],
  'ignores-retry-after': [
    `unavailable/${list}`,
    'unavailable/builds.get',
    `rate-limited/${list}`,
    'rate-limited/builds.get',
  ],
  'forgets-slow-down': ['slow-down/device'],
  'polls-after-denial': ['denied/device', 'expired/device', 'after-commit/device'],
  'walks-by-number': [`insertion/${list}`],
  'follows-any-link': [`link/${list}`],
  'exchanges-per-call': ['every-call/exchange'],
  'refreshes-twice': ['after-commit/refresh'],
  'knows-all-states': ['unknown/builds.get'],
  'takes-refusals': ['unavailable/builds.create', 'rate-limited/builds.create'],
  'takes-half': [`truncated/${list}`, `html/${list}`],
  'never-again': [
    `unavailable/${list}`,
    `rate-limited/${list}`,
    `before-commit/${list}`,
    `bad-gateway/${list}`,
  ],
  'follows-redirects': [`redirect/${list}`],
  insists: [`token-ends/${list}`],
}
