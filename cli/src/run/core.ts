/*
 * What every ordinary run needs. The bundle keeps these imports in one file, because many small
 * files are slower to open than one large file to read. Commands load everything else themselves.
 */
import '../context/base-command.js'
import '../jobs/each-target.js'
import '../context/lists.js'
import './light.js'

export { invoke } from './invoke.js'
