import type { AgentRecord, OrganizationRecord, UserRecord } from '../../store/records.js'
import type { SeedContext } from '../context.js'

/** Who works at acme, by the name that the rest of the seed calls them. */
export type Person = 'robin' | 'mina' | 'tomas' | 'sam' | 'jules' | 'bot'

const people: Readonly<Record<Person, Pick<UserRecord, 'name' | 'email'> & Partial<UserRecord>>> = {
  robin: { name: 'Robin Vega', email: 'robin@acme.example' },
  mina: { name: 'Mina Okafor', email: 'mina@acme.example' },
  tomas: { name: 'Tomás Lindqvist', email: 'tomas@acme.example' },
  sam: { name: 'Sam Adeyemi', email: 'sam@acme.example', emailVerified: false },
  jules: { name: 'Jules Moreau', email: 'jules@acme.example', active: false },
  bot: { name: 'Acme Bot', email: 'bot@acme.example' },
}

export const makePeople = (context: SeedContext, created_at: string): Readonly<Record<Person, UserRecord>> => {
  const make = (person: Person): UserRecord => ({
    id: context.uuid('user'),
    emailVerified: true,
    active: true,
    created_at,
    ...people[person],
  })
  return {
    robin: make('robin'),
    mina: make('mina'),
    tomas: make('tomas'),
    sam: make('sam'),
    jules: make('jules'),
    bot: make('bot'),
  }
}

export const makeAgents = (
  context: SeedContext,
  organization: OrganizationRecord,
  creator: UserRecord,
  created_at: string,
): readonly AgentRecord[] =>
  ['linux-1', 'linux-2', 'linux-3', 'linux-4', 'linux-5', 'linux-6', 'mac-1', 'mac-2'].map((name, index) => ({
    id: context.uuid('agent'),
    organizationId: organization.id,
    name,
    hostname: `${name}.ci.acme.example`,
    connection_state: name.startsWith('mac') ? 'disconnected' : 'connected',
    ip_address: `192.0.2.${10 + index}`,
    user_agent: 'ci-agent/3.98.0 (linux; amd64)',
    creatorId: creator.id,
    created_at,
  }))
