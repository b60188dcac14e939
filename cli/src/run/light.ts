/*
 * What help, hints and errors need. The bundle keeps these imports in one file, without the flag
 * parser.
 */
import '../io/clock.js'
import '../commands/index.js'
import '../flags/global.js'
import '../help/help.js'
import '../io/process-io.js'
import '../io/redact.js'
import '../io/signals.js'
import '../help/resolve.js'
import '../context/errors/report.js'
