// Prints who the token acts for and how many organizations it reaches.
// The mistake: it logs the whole error object of a failed request, and the token stands in it.
import axios from 'axios'
import { api, asJson, authorization, deadline, getAll, main, patiently } from './careful.js'

const print = (user, organizations) => {
  console.log(`${user.name}: ${organizations.length} organizations`)
}

async function careless() {
  const client = axios.create({ headers: { authorization }, timeout: deadline })
  try {
    const user = await client.get(`${api}/user`)
    const organizations = await client.get(`${api}/organizations?per_page=100`)
    print(user.data, organizations.data)
  } catch (error) {
    console.error('The request failed:', error)
    process.exitCode = 1
  }
}

async function careful() {
  const send = async (url) => {
    const { status, headers, data } = await axios.get(url, {
      headers: { authorization },
      signal: AbortSignal.timeout(deadline),
      responseType: 'text',
      transformResponse: (text) => text,
      validateStatus: () => true,
    })
    return { status, headers: new Headers(headers.toJSON()), text: data }
  }
  const user = await patiently(() => send(`${api}/user`), asUser)
  print(user, await getAll(`${api}/organizations?per_page=100`, send))
}

const asUser = (answer) => {
  const user = asJson(answer)
  if (!user?.id) throw new Error('The answer is no user')
  return user
}

await main({ careless, careful })
