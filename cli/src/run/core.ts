/*
 * What every ordinary run needs, named here so that the bundle keeps it in one file: many small files cost more to
 * open than one large file to read. Whatever is not here is loaded by the commands that need it.
 */
import '../context/base-command.js'
import '../jobs/each-target.js'
import '../context/lists.js'
import './light.js'

export { invoke } from './invoke.js'
