'use strict'
// The system's keyring, in a process of its own: what its library waits for cannot hold the program
// up.
const { AsyncEntry } = require('@napi-rs/keyring')

const SERVICE = 'buildwire'
/** The default on Linux may be the kernel's keyring, which is lost at the next boot. */
const OPTIONS = { linux: { store: 'secret-service' } }

const calls = {
  get: (entry) => entry.getPassword(),
  set: (entry, text) => entry.setPassword(text),
  drop: (entry) => entry.deletePassword(),
}

/** At once: a normal end would wait for the threads of the library. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ctrl-C goes to the whole group; the program decides, and this process ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

process.on('message', async ({ call, name, text }) => {
  try {
    process.send({
      value: (await calls[call](new AsyncEntry(SERVICE, name, OPTIONS), text)) ?? null,
    })
  } catch (error) {
    process.send({ error: error instanceof Error ? error.message : String(error) })
  }
})
