import type { Ids } from '../base/ids.js'
import { hasEnded } from '../domain/build.js'
import { timestamp } from '../domain/timestamp.js'
import type { Turn } from '../domain/turn.js'
import type { AgentRecord, JobRecord } from '../records/records.js'
import type { Transaction } from './store.js'

interface TurnSource {
  readonly ids: Pick<Ids, 'uuid' | 'dice'>
  readonly settings: { readonly cancelGraceMs: number }
}

/** A turn of the lifecycle that reads and writes through a transaction, at a given time. */
export function turnOf(tx: Transaction, { ids, settings }: TurnSource, now: number): Turn {
  const { state } = tx
  return {
    now,
    cancelGraceMs: settings.cancelGraceMs,
    uuid: (noun) => ids.uuid(noun),
    build: (id) => state.get('builds', id),
    put: (build) => tx.put('builds', build),
    pipelineBySlug: (organizationId, slug) => state.find('pipelineBySlug', organizationId, slug),
    queueId: (organizationId, key) => state.find('queueByKey', organizationId, key)?.id ?? null,
    agentId: (organizationId, job) => chooseAgent(tx, organizationId, job, ids, now),
    nextNumber: (pipelineId) => tx.nextNumber(pipelineId),
    openBuilds: (pipelineId, branch) =>
      state
        .builds(pipelineId)
        .run('branch', branch)
        .filter((build) => !hasEnded(build)),
  }
}

/**
 * Chooses an agent of the organization, always the same for a job. If there is none, an agent is
 * made.
 */
function chooseAgent(
  tx: Transaction,
  organizationId: string,
  job: JobRecord,
  ids: TurnSource['ids'],
  now: number,
): string {
  const agents = [...tx.state.values('agents')].filter(
    (agent) => agent.organizationId === organizationId,
  )
  const chosen = agents[Math.floor(ids.dice(`agent:${job.id}`, 0) * agents.length)]
  if (chosen !== undefined) return chosen.id
  const agent: AgentRecord = {
    id: ids.uuid('agent'),
    organizationId,
    name: 'agent-1',
    hostname: 'agent-1.localhost',
    connection_state: 'connected',
    ip_address: '127.0.0.1',
    user_agent: 'ci-agent/3.98.0 (linux; amd64)',
    creatorId: null,
    created_at: timestamp(now),
  }
  tx.put('agents', agent)
  return agent.id
}
