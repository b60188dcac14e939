/** A rule of what makes a line loud: the level of lines that match the pattern. */
export interface LoudRule {
  readonly level: number
  readonly pattern: RegExp
}

/** The levels of lines. Lines from `TELLING` on may be the reason of a failure. */
export const CAUSE = 6
export const ERROR = 5
export const SYMPTOM = 4
export const TELLING = 4
export const HINT = 3
/** A line that only repeats that something failed, such as "exit status 1". */
export const CLOSING = 2
/** A warning with a telling word: the reason where warnings are errors. */
export const MENTION = 1.5

/**
 * Words that a line begins with although they say nothing: times, names of services, steps and
 * packages. One is removed after the other.
 */
export const PREFIX =
  /^(?:\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?|\[\d{1,6}(?:\.\d{1,6})?s?\]|#\d{1,4} (?:\d{1,6}\.\d{1,4}(?= ))?)\s{1,9}|[\w.@/-]{1,40}\s{0,20}[|│] |\[[\w:@./ -]{1,40}\] {1,9}|[@\w/-]{1,60}:[\w:-]{1,30}: |[│╷╵┃║] {0,4}|>> )/u

/** Phrases with a telling word that say that nothing is wrong. They are read as blanks. */
export const HARMLESS =
  /\b(?:0|no|zero|without|any) (?:\w{1,12} )?(?:errors?|failures?|failed|failing|problems?|issues?|exceptions?|fail)\b|\b(?:errors?|failures?|failed|fail|failing|err|exit(?: |_)?code|exit status)"?\s{0,4}[:=]\s{0,4}"?(?:0\b(?!\.\d)|null|none|nil|false|""|<nil>)|\b(?:fail|failed|failures|errors) +0\b|\b(?:errors?|fail(?:ure)?)[- ](?:handl\w{1,5}|fast|safe|boundar\w{1,3}|report\w{0,5}|log|page|budget|rate|codes?|prone|free|correct\w{0,4})\b|\b(?:on|if|in case of|upon|when) (?:an? )?(?:errors?|failures?)\b|\b(?:expected|ignor\w{1,3}|simulat\w{1,3}|handl\w{1,3}|catch\w{0,3}|throws?|returns?|swallow\w{0,3}|allow\w{0,3}) (?:an? |the |all )?(?:\w{1,16} )?(?:errors?|exceptions?|failures?)\b|-W?no-error|-Werror|--?[\w-]{0,30}(?:error|fail)[\w-]{0,30}/giu

/**
 * Lines that report success, begin or run something, or belong to a table. `# TODO` and `# SKIP` are
 * directives of the Test Anything Protocol: a test with one of them may fail without harm.
 */
export const QUIET =
  /^\s*(?:[✓✔√☑✅]|ok\b|PASS(?:ED)?\b|--- (?:PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)|\[\s{0,9}(?:OK|RUN|PASS(?:ED)?|SKIPPED|-{4,12}|={4,12})\s{0,9}\]|\(pass\)|Test Case '.{1,200}' (?:passed|started)|not ok \d{1,9} .{0,200}# (?:TODO|SKIP)\b|\d{1,9} passing\b|○|\[PASS|(?:deprecat|note|hint|help|info|debug|notice)\w{0,8}\b:)|(?:\.\.\.? ?|\s)(?:ok|OK|PASSED|PASS|passed|SKIPPED|✓|✔)(?: +\(?\[? ?[\d.]{1,9} ?(?:m?s|%|sec)?\]?\)?)?$|^\s*[\w./\\-]{1,200}\s*(?:\|\s{0,20}[\d.,\s-]{1,60}\s?){3,12}|"(?:level|severity|lvl)":\s?"?(?:info|debug|trace|warn|warning|notice|INFO|DEBUG|TRACE|WARN|WARNING|10|20|30|40)\b|\b(?:level|lvl|severity)=(?:info|debug|trace|warn|warning)\b/u

/** Counts of failures that are not zero, which a line with "passed" may hold as well. */
export const COUNTED =
  /\b[1-9]\d{0,6} (?:\w{1,12} )?(?:failed|failures?|failing|errors?|errored|problems?|fatal)\b|\b(?:failed|failures?|errors?|fail)[:=] ?[1-9]/iu

/** A line in which this word comes before the telling one is a warning, or gives information. */
export const MILD =
  /(?:^|[^\w./-])(?:warn(?:ing)?s?(?!: (?:DATA RACE|\w{4,10}Sanitizer))|warnung|avertissement|advertencia|debug|trace|info|notice|verbose|deprecat\w{1,6}|DBG|INF|WRN)\b(?!\w)|^[WIDV](?::|\/| )|⚠|警告/iu

/** A line that begins with what is being done. */
export const DOING =
  /^\s*(?:(?:Running|Starting|Started|Executing|Testing|Compiling|Compiled|Checking|Building|Built|Download(?:ing|ed)|Fetch(?:ing|ed)|Install(?:ing|ed)|Collecting|Using|Unpacking|Preparing|Selecting|Copying|Creating|Created|Linking|Processing|Upload(?:ing|ed)|Removing|Removed|Cleaning|Loading|Adding|Added|Resolving|Resolved|Requirement already|Generat(?:ing|ed)|Analyzing|Scanning|Caching|Restoring|Pulling|Pushing|Extracting|Archiving|Documenting|Transforming|Rendering|Setting up|Get:\d|Hit:\d|Stopping|Stopped|Deleting|Deleted|Finished|Saving|Saved|Skipping|HEAD is now at|Formatting|Flushing|Closing|Tearing|Writing|Wrote|Reading|Parsing|Bundling|inflating|creating|adding|CC|CXX|LD|AR|GEN)\b(?!:)|\[ {0,2}\d{1,3}%\]|\[\d{1,6}\/\d{1,6}\] (?!.{0,80}\b(?:error|FAIL))|(?:\$|\+{1,4}|❯|➜) \S)/u

/** A try that another one follows. */
export const RETRIED =
  /\b(?:retry(?:ing)?|retries|will retry|try(?:ing)? again|attempt [1-9]\/|ignor(?:ed|ing)|\(ignored\)|non-fatal|nonfatal|recovered|continuing|falling back|flaky|expected failure|xfail|allowed to fail|best effort|skipped)\b/iu

/** A level of a log that a program under test writes. */
export const LOGGED = /^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d:\d\d:\d\d|\{"|time=)/u

/** A file with a line. */
export const LOCATED =
  /(?:^|[\s("'[│>])(?:[\w@.+~-]{0,80}[/\\]){0,20}[\w@.+-]{1,80}\.[A-Za-z]\w{0,9}(?::\d{1,6}\b|:?[[(]\d{1,6}[,)\]:])|\bline \d{1,6}\b/u

const word = String.raw`(?<![\w./\\-])`
const end = String.raw`(?![\w-]|[./\\]\w|\()`

/** Any of the stems that the rules know. A line without one needs no other rule. */
export const STEMS =
  /[EFI]:|^[eEF!✗✕✖×✘❌🚨⨯☒●([>-]|^\s{0,12}[✗✕✖×✘❌🚨⨯☒●]|err|erro|fat|fail|panic|except|assert|kill|oom|segm|fault|sig[sak]|core|memory|race|goroutine|stack|sanit|space|undef|caus|unres|unexp|unkn|unha|uncau|unre|unsat|unsup|unau|unab|expect|receiv|actual|got|want|left|right|diff|crit|alert|emerg|sever|fehl|échec|echec|virhe|błąd|chyba|hata|ошиб|abort|conflict|reject|E[A-Z]{4}|pull|crash|roll|エラー|错|錯|오류|失|실패|удал|nicht|keine|impossib|introuv|aucun|no se|no exi|no enco|não|niet|nie |найден|fout|fel|fallo|not |no |denied|refus|forbid|time|dead|could|can|exist|already|inval|illeg|malf|mism|incomp|viol|exce|out of|overf|corrup|expir|too |miss|reset|broken|trace|throw|stop|below|thresh|would|has |differ|regress|vulner|leak|unbound|line \d|substit|signal|terminat|interrupt|status|http|[45]\d\d|curl|execution|went wrong|rspec|cucumber|bad|wrong|problem|\d\)|^! |^-- |\*\*|_test\.go/iu

/** Lines that only repeat that something failed. They are read before the other rules. */
export const CLOSINGS: readonly RegExp[] = [
  /\b(?:exit(?:ed|s|ing)?|returned|completed|finished|failed|ended|terminated)(?: \w{1,12}){0,3}[:,]? (?:with )?(?:an? )?(?:non-?zero )?\(?(?:exit |status |error |return )?(?:code|status|value|exit)s?\b/iu,
  /\b(?:exit status|exit code|return code):? -?\d{1,3}\b/iu,
  /^\s*(?:exit|Exit|EXIT) -?\d{1,3}\s*$/u,
  /\b(?:make(?:\[\d{1,3}\])?|gmake|ninja): (?:\*\*\* \[|build stopped|.{0,200}\] Error \d)/u,
  /\bnpm (?:ERR!|error) (?:errno|Exit status|This is probably|A complete log|Failed at|Lifecycle|path|command|code (?:1|2|ELIFECYCLE)\b|in workspace|at location|\s*$|\/|There is likely)/u,
  /\bELIFECYCLE\b|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL/u,
  /\b(?:BUILD|TESTS?|Build|Job|job|Tests?|Task|Pipeline|pipeline|Compilation|compilation|Command|command|Process) (?:FAILED|FAILURE|failed|Failed)[.!*]{0,4}\s*(?:\*\*|in [\d.]{1,9} ?m?s|\(|$)/u,
  /\b(?:generated|aborting due to|could not compile|Found \d{1,6} errors?|\d{1,6} errors? (?:found|generated|in \d))\b/u,
  /^\s*(?:[✖✗×❌] )?(?:Found )?\d{1,6} (?:problems?|errors?|failures?|failing|failed)\b.{0,60}$/iu,
  /^\W{0,12}(?:Tests?(?: run| Suites| Files)?|Suites?|Failures|Results?|Snapshots|Total)\b:? .{0,120}$/u,
  /\[ERROR\] (?:->|\[Help|To see|Re-run|For more|After correcting|\s*$| {0,4}mvn|Please refer|See )/u,
  /^\[ERROR\]\s*$|^(?:FAIL|FAILED|ERROR|Error|Failures?|Failed|Errors?|failed|error):?\s*$/u,
  /^FAIL\s+[\w./-]{1,120}(?:\s+[\d.]{1,9}s|\s+\[build failed\])?$/u,
  /\b(?:Re-?run|Run with|Try running|See|see|stack trace|more information|--stacktrace|For more|full log|report at|There were failing)\b/u,
  /^\s*(?:FAILURE: |error Command failed|ERROR: Job failed|error: Recipe|\* Try|Lerna|lerna ERR|nx |NX {2})/u,
  /ld returned \d|linker command failed|subprocess\.CalledProcessError|failed to build(?: wheels)?$|\bexited \(\d{1,3}\)/u,
]

/** From the loudest rules to the least ones. */
export const RULES: readonly LoudRule[] = [
  {
    level: CAUSE,
    pattern:
      /\bpanic(?:ked)?(?: at\b|:)|\berror\[\w{1,12}\]|\berror:? [A-Z]{1,8}\d{2,6}\b|:\s{0,4}(?:fatal )?error:|(?:^|\s)\w{0,40}Assert\w{0,40}(?:Error|Exception|Failed)\b|\bassert\w{0,12}(?: .{1,200})? failed\b|\bFailed asserting\b|\bXCTAssert\w{0,20} failed|^E {2,9}\S|\bFailure\/Error:|\b(?:Killed|OOMKilled|oom-kill\w{0,3}|Segmentation fault|segmentation violation|Bus error|SIGSEGV|SIGABRT|SIGKILL|core dumped|heap out of memory|DATA RACE|all goroutines are asleep|stack smashing detected)\b|\b(?:Address|Thread|Leak|Memory|UndefinedBehavior)Sanitizer:|\bruntime error:|\b[Oo]ut of memory\b|\bCannot allocate memory\b|[Nn]o space left on device|\bundefined (?:reference|symbol)|^e: |\bCaused by:|^-- [A-Z][A-Z ]{3,40} -{3,}|^! [A-Z]|^\s{0,12}\d{1,6}:\d{1,6}\s{1,9}(?:error|✖)\s|FAILED! =>|\bUnresolved reference\b|^\s{0,8}(?:[\w$]{1,60}[.:]{1,2}){0,12}[A-Z]\w{0,60}(?:Error|Exception|Failure|Fault)(?:: |\s?\[|$)|^Uncaught |^Unhandled |\*\* \(\w{1,60}(?:\.\w{1,60}){0,5}\)|\bfatal error\b/u,
  },
  {
    level: CAUSE,
    pattern:
      /\bexpected\b.{1,160}\b(?:but|got|was|found|received|actual|to (?:be|equal|have|contain|match|include|eq))\b|\b(?:got|want|wanted)\b[: ].{1,120}\b(?:want|wanted|got|expected)\b|\bAssert(?:ion)?[.\w]{0,40}\(?\)?:? ?(?:with \S{1,4} )?fail(?:ed|ure)|^\s{0,12}[\w./-]{1,120}_test\.go:\d{1,6}: /iu,
  },
  {
    level: ERROR,
    pattern:
      /(?:^|[\s[(<:│|"'*!>#])(?:error|fatal|err|critical|crit|alert|emerg|severe|fehler|erreur|errore?|erro|fout|fel|virhe|błąd|chyba|hata|ошибка|fallo|echec|échec)(?:!|:|\]|\)|>|"|\*| -|\s*\|)/iu,
  },
  {
    level: ERROR,
    // Bound: a piece of a line, which has 1 000 characters.
    pattern: new RegExp(
      String.raw`${word}(?:ERROR|FATAL|CRITICAL|SEVERE|ERR!|FAILED|FAIL|FAILURE|ABORTED|EXCEPTION)${end}|"(?:level|severity|lvl)":\s?"?(?:error|fatal|critical|ERROR|FATAL|CRITICAL|50|60)\b|\b(?:level|lvl|severity)=(?:error|fatal|critical|eror)\b`,
      'u',
    ),
  },
  {
    level: ERROR,
    pattern:
      /^\S{1,120}: line \d{1,6}: |^\s{0,12}(?:[✗✕✖×✘❌🚨⨯☒]|not ok \d|● |\(fail\)|\[!\] |\[x\] |--- FAIL|F\/|E\/)|\[ {1,4}FAILED {1,4}\]|\*{3}(?:Failed|Exception|Timeout)|\bException in thread\b|\bcurl: \(\d|\b\w{1,60}(?:Error|Exception): |CONFLICT \(|Merge conflict|\b(?:remote )?rejected\]|\bERR_[A-Z_]{4,}|\bE[A-Z]{5,16}\b(?=[:, ]|$)|\b(?:Err)?ImagePull(?:BackOff)?\b|CrashLoopBackOff|\b(?:CREATE|UPDATE|DELETE|ROLLBACK)_FAILED\b|エラー|错误|錯誤|오류|失敗|失败|실패|не удалось|fehlgeschlagen|nicht gefunden|Keine Berechtigung|impossible d|introuvable|Aucun fichier|no se pudo|No existe|no encontrado|não (?:foi|encontrado)|impossibile|niet gevonden|nie znaleziono|не найден/u,
  },
  {
    level: SYMPTOM,
    pattern:
      /\b(?:command not found|not found|No such file|no such (?:host|module|image|table|column|container|file)|permission denied|access denied|denied|refused|unauthori[sz]ed|forbidden|timed[ -]?out|time-?out (?:of|after|exceeded|waiting|expired)|deadline exceeded|could not|couldn't|cannot|can't|can not|unable to|failed to|does not exist|doesn't exist|already exists|already in use|is not (?:defined|a|in|assignable|installed|allowed|supported|set|valid|recognized)|not (?:met|reached|permitted|allowed|supported|resolved|installed|recognized)|undefined|unresolved|unexpected|unknown|invalid|illegal|malformed|mismatch|unsatisfiable|incompatible|unsupported|conflicts?|violat\w{1,5}|exceed(?:s|ed)|out of (?:range|bounds|date|sync)|overflow|deadlock|corrupt\w{0,3}|expired|too (?:large|long|many|old|low)|no (?:matching|space|rule|route|module|version|tests?|default)|missing|unreachable|reset by peer|broken pipe|traceback|throw new|stopped working|crash\w{0,3}|abort\w{0,3}|kill\w{0,2}|below (?:the )?(?:threshold|minimum)|threshold|would (?:be )?reformat\w{0,2}|has (?:differences|drifted|changed)|differs?|regress\w{1,4}|vulnerabilit\w{1,4}|leaks? found|unbound variable|not set|bad substitution|(?:sending|received|got) signal|terminated|interrupted|SIG(?:TERM|INT|HUP|QUIT)|status code [45]\d\d|HTTP\/?\d?\.?\d? [45]\d\d|[45]\d\d (?:Unauthorized|Forbidden|Not Found|Internal|Bad|Service|Gateway|Too Many|Conflict))\b/iu,
  },
  {
    level: SYMPTOM,
    pattern:
      /^\s{0,12}(?:Expected|Received|Actual|expected|actual|received|got|want|wanted|left|right|Diff|diff)\s{0,9}(?:\(.{1,40}\))?(?::|=)|^\s{0,8}\d{1,4}\) \S|\bAssert\.|Execution failed for task|What went wrong|^(?:rspec|cucumber) \.?\S{1,200}:\d|^FAILED: |^\s{0,8}Failed \S/u,
  },
  {
    level: HINT,
    // Bound: a piece of a line, which has 1 000 characters.
    pattern: new RegExp(
      `${word}(?:fail(?:ed|s|ure|ures|ing)?|errors?|exceptions?|fatal|bad|wrong|problem|broken|rollback|rolled back)${end}`,
      'iu',
    ),
  },
]
