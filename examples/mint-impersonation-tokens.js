/**
 * One service that acts as many users at once: each user's token is minted by one token exchange
 * (RFC 8693), shared by all calls that act as that user, and replaced when the server refuses it.
 */
import { createMockServer } from '@buildwire/mock-server'
import {
  CiClient,
  generateSigningKey,
  publicJwks,
  TokenExchange,
  userEmailTokenType,
} from '@buildwire/sdk'

const people = Array.from({ length: 100 }, (_, index) => `user${index + 1}@acme.example`)
const key = await generateSigningKey({ alg: 'ES256' })

const server = createMockServer({
  seed: {
    version: 1,
    users: people.map((email) => ({ email, name: email.split('@')[0] })),
    organizations: [
      { slug: 'acme', name: 'Acme Rockets', members: people.map((user) => ({ user })) },
    ],
    applications: [
      {
        kind: 'token_exchange',
        client_id: 'dashboard',
        name: 'Dashboard',
        jwks: publicJwks([key]),
        grantableScopes: ['read_user', 'read_builds'],
      },
    ],
  },
})
const { url } = await server.listen({ port: 0 })

let exchanges = 0
const exchange = new TokenExchange(
  { client_id: 'dashboard', subject_token_type: userEmailTokenType('buildwire') },
  {
    authUrl: url,
    signer: key.signer,
    onEvent: (event) => {
      if (event.type === 'request') exchanges += 1
    },
  },
)

// One client, its connections and its rate-limit knowledge, for everybody.
const ci = new CiClient({ baseUrl: url })
const actAs = (email) =>
  ci.withAuth(
    exchange.tokenProvider({
      subject_token: email,
      audience: 'acme',
      scope: ['read_user', 'read_builds'],
    }),
  )

const whoAmI = async (email) => (await actAs(email).user.get()).email
const calls = people.flatMap((email) => Array.from({ length: 10 }, () => email))
const answers = await Promise.all(calls.map(whoAmI))
const right = answers.filter((email, index) => email === calls[index]).length
console.log(
  `${calls.length} concurrent calls as ${people.length} users: ${right} answered as the right user, ${exchanges} exchanges`,
)

exchanges = 0
await actAs(people[0]).accessToken.revoke()
const again = await Promise.all([1, 2, 3, 4, 5].map(() => whoAmI(people[0])))
console.log(
  `After its token was revoked: ${again.length} calls as ${again[0]}, ${exchanges} exchange`,
)

for (const params of [
  { subject_token: 'stranger@elsewhere.example', audience: 'acme' },
  { subject_token: people[0], audience: 'Acme Rockets' },
  { subject_token: people[0], audience: 'acme', scope: ['write_builds'] },
]) {
  const error = await exchange.exchange(params).catch((reason) => reason)
  console.log(`${error.error}: ${error.advice}`)
}

await ci.close()
await server.close()
