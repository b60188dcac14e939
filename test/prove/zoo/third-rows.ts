import type { Expected } from './animal.js'

/** Where the mistakes of the third part show. */
export const expected: Readonly<Record<string, Expected>> = {
  'accepted-is-done': { rows: ['plain'], as: 'note' },
  'filter-lost': { rows: ['plain'], as: 'harm' },
  'token-forever': { rows: ['login-ends'], as: 'note' },
  'cached-wait': { rows: ['plain'], as: 'complaint' },
  'one-job-decides': { rows: ['plain'], as: 'note' },
  'adopts-newest': { rows: ['other-build'], as: 'harm' },
  'cancels-while-paging': { rows: ['plain'], as: 'harm' },
  'assertion-reused': { rows: ['after-commit'], as: 'harm' },
  'walks-in-circles': { rows: ['plain'], as: 'note' },
}
