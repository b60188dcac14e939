import type { OrganizationRecord, SuiteRecord, TestRecordRecord } from '../../store/records.js'
import type { SeedContext } from '../context.js'

const areas = {
  'web-unit': ['Cart', 'Checkout', 'Catalog', 'Search', 'Account', 'Price', 'Session'],
  'api-integration': ['Orders', 'Payments', 'Webhooks', 'Inventory'],
} as const

const behaviours = [
  'adds an item',
  'removes the last item',
  'keeps its order',
  'rounds half to even',
  'refuses a negative amount',
  'survives an empty answer',
  'shows a clear message',
  'is idempotent',
  'handles 10 000 entries',
  'formats ¥ and € amounts',
  'honours the time zone',
  'retries once',
  'expires after an hour',
  'escapes <script>',
  'sorts accented names',
  'ignores case',
  'pages to the end',
  'recovers from a lost connection',
  'keeps right-to-left names (שלום)',
  'reads its own writes',
] as const

/** Two suites: `web-unit` with 140 test records and `api-integration` with 60. */
export function makeSuites(
  context: SeedContext,
  organization: OrganizationRecord,
  created_at: string,
): readonly [web: MadeSuite, api: MadeSuite] {
  const make = (slug: keyof typeof areas, name: string, perArea: number, extension: string) => {
    const suite: SuiteRecord = { id: context.uuid('suite'), organizationId: organization.id, slug, name, created_at }
    const tests = areas[slug].flatMap((area, place) =>
      behaviours.slice(0, perArea).map((behaviour, index): TestRecordRecord => {
        const file_name = `test/${area.toLowerCase()}.${extension}`
        return {
          id: context.uuid('test'),
          suiteId: suite.id,
          scope: area,
          name: behaviour,
          location: `${file_name}:${12 + index * 9}`,
          file_name,
          labels: labelsOf(place * perArea + index),
        }
      }),
    )
    return { suite, tests }
  }
  return [make('web-unit', 'Web unit tests', 20, 'test.ts'), make('api-integration', 'API integration tests', 15, 'rs')]
}

export interface MadeSuite {
  readonly suite: SuiteRecord
  readonly tests: readonly TestRecordRecord[]
}

const labelsOf = (index: number): readonly string[] => [
  ...(index % 11 === 4 ? ['flaky'] : []),
  ...(index % 17 === 3 ? ['slow'] : []),
  ...(index % 29 === 7 ? ['quarantined'] : []),
]
