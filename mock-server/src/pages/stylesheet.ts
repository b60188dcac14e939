/** The one stylesheet of all pages: no framework, no script, no font to fetch. Dark follows the system. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #ffffff; --raised: #fbfcfd; --line: #dfe3e8; --line-strong: #c4cad3;
  --ink: #16191d; --soft: #525c69; --accent: #1f5fd6; --accent-ink: #ffffff; --accent-soft: #e8effc;
  --passed: #17713a; --passed-soft: #e3f4e9; --failed: #b3261e; --failed-soft: #fdeceb;
  --running: #8a5a00; --running-soft: #fdf3dc; --blocked: #7a3ea8; --blocked-soft: #f3eafb; --quiet-soft: #eceff3;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 8px 24px rgb(16 24 40 / 6%);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317; --sheet: #181c22; --raised: #1d222a; --line: #2b323c; --line-strong: #414b59;
    --ink: #e9edf2; --soft: #a3adba; --accent: #82aaff; --accent-ink: #0c1526; --accent-soft: #1c2a47;
    --passed: #6fd394; --passed-soft: #15301f; --failed: #ff9088; --failed-soft: #3a1c1b;
    --running: #f2c166; --running-soft: #35290f; --blocked: #cfa3f2; --blocked-soft: #2e1f3c; --quiet-soft: #252b34;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 30%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, p, dl, dd, ul, ol { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
h2 { font-size: 1.0625rem; line-height: 1.35; }
ul, ol { list-style: none; }
code, .mono { font-family: var(--mono); font-size: 0.875em; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 8px; top: 8px; background: var(--sheet); padding: 8px 12px; z-index: 1; }

.top { background: var(--sheet); border-bottom: 1px solid var(--line); }
.top > div { display: flex; gap: 8px 20px; align-items: center; flex-wrap: wrap; }
.top > div, main { width: 100%; max-width: 1040px; margin: 0 auto; padding: 12px 20px; }
.brand { display: inline-flex; align-items: center; gap: 10px; font-weight: 650; color: var(--ink); text-decoration: none; }
.brand svg { display: block; }
.top nav { display: flex; gap: 4px 18px; flex-wrap: wrap; margin-left: auto; align-items: center; font-size: 0.9375rem; }
.top nav a { color: var(--soft); text-decoration: none; padding: 4px 0; }
.top nav a:hover, .top nav a[aria-current] { color: var(--ink); }
.top nav a[aria-current] { box-shadow: 0 2px 0 var(--accent); }
main { flex: 1; padding-top: 28px; padding-bottom: 56px; display: flex; flex-direction: column; gap: 20px; }
main.narrow { max-width: 560px; }
footer { color: var(--soft); font-size: 0.8125rem; text-align: center; padding: 20px; }
.lead { color: var(--soft); }
.crumbs { color: var(--soft); font-size: 0.875rem; display: flex; gap: 4px 8px; flex-wrap: wrap; }
.crumbs li + li::before { content: "/"; margin-right: 8px; color: var(--line-strong); }
.head { display: flex; flex-direction: column; gap: 6px; }
.headline { display: flex; gap: 8px 12px; align-items: center; flex-wrap: wrap; }

.card { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); overflow: hidden; }
.card > header { padding: 14px 20px; border-bottom: 1px solid var(--line); display: flex; gap: 8px 16px; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
.card > header p { color: var(--soft); font-size: 0.875rem; }
.body { padding: 20px; display: flex; flex-direction: column; gap: 16px; }
.rows > li { padding: 12px 20px; display: flex; gap: 4px 16px; align-items: center; flex-wrap: wrap; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li:target { background: var(--accent-soft); }
.rows .grow { flex: 1 1 220px; min-width: 0; }
.rows .what { font-weight: 550; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.rows a.what { text-decoration: none; width: fit-content; max-width: 100%; }
.rows a.what:hover { text-decoration: underline; }
.rows > li > .state { min-width: 8.5em; }
.rows .sub { color: var(--soft); font-size: 0.875rem; }
.rows .aside { color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.empty { padding: 28px 20px; color: var(--soft); text-align: center; }

.facts { display: grid; grid-template-columns: max-content 1fr; gap: 8px 20px; font-size: 0.9375rem; }
.facts dt { color: var(--soft); }
.facts dd { min-width: 0; }
.tags { display: flex; gap: 6px; flex-wrap: wrap; }
.tag { background: var(--quiet-soft); border-radius: 6px; padding: 1px 8px; font-family: var(--mono); font-size: 0.8125rem; }

.state { display: inline-flex; align-items: center; gap: 6px; border-radius: 999px; padding: 2px 10px; font-size: 0.8125rem; font-weight: 600; background: var(--quiet-soft); color: var(--soft); white-space: nowrap; }
.state.passed { background: var(--passed-soft); color: var(--passed); }
.state.failed { background: var(--failed-soft); color: var(--failed); }
.state.running { background: var(--running-soft); color: var(--running); }
.state.blocked { background: var(--blocked-soft); color: var(--blocked); }

.notice { border-radius: 10px; padding: 12px 16px; background: var(--accent-soft); border: 1px solid transparent; }
.notice.bad { background: var(--failed-soft); color: var(--failed); }
.notice.good { background: var(--passed-soft); color: var(--passed); }
.notice.warn { background: var(--running-soft); color: var(--running); }
.user-code { font: 700 clamp(1.75rem, 9vw, 2.5rem)/1.2 var(--mono); letter-spacing: 0.08em; text-align: center; padding: 14px 8px; background: var(--raised); border: 1px dashed var(--line-strong); border-radius: 10px; white-space: nowrap; }

form { display: flex; flex-direction: column; gap: 14px; }
label, legend { font-weight: 550; }
.field { display: flex; flex-direction: column; gap: 6px; }
.hint { color: var(--soft); font-size: 0.875rem; }
input[type="text"], select {
  font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line-strong); border-radius: 8px; padding: 10px 12px; width: 100%; min-height: 44px;
}
input.code-input { font: 600 1.375rem/1.2 var(--mono); letter-spacing: 0.12em; text-transform: uppercase; text-align: center; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-direction: column; gap: 8px; min-width: 0; }
.choice { display: flex; gap: 12px; align-items: center; padding: 10px 14px; border: 1px solid var(--line); border-radius: 10px; font-weight: 400; cursor: pointer; min-height: 44px; }
.choice:hover { border-color: var(--line-strong); }
.choice:has(input:checked) { border-color: var(--accent); background: var(--accent-soft); }
.choice img { border-radius: 50%; flex: none; }
.choice span { min-width: 0; }
.choice small { display: block; color: var(--soft); font-size: 0.8125rem; }
input[type="radio"] { accent-color: var(--accent); width: 18px; height: 18px; flex: none; margin: 0; }
.actions { display: flex; gap: 12px; flex-wrap: wrap; }
button, .button {
  font: inherit; font-weight: 600; min-height: 44px; padding: 9px 18px; border-radius: 8px; border: 1px solid var(--line-strong);
  background: var(--sheet); color: var(--ink); cursor: pointer; text-decoration: none; display: inline-flex; align-items: center; justify-content: center;
}
button:hover, .button:hover { border-color: var(--soft); }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.primary:hover, .button.primary:hover { filter: brightness(1.08); }
button.danger { color: var(--failed); }
.actions > button { flex: 1 1 140px; }
.plain { border: 0; background: none; padding: 0 2px; min-height: 0; font-weight: 400; color: var(--soft); text-decoration: underline; }
.pager { display: flex; justify-content: space-between; gap: 12px; }
.filters { flex-direction: row; flex-wrap: wrap; align-items: end; gap: 12px; padding: 14px 20px; border-bottom: 1px solid var(--line); }
.filters .field { flex: 1 1 160px; font-size: 0.875rem; }
.annotation { display: flex; flex-direction: column; gap: 8px; overflow-x: auto; }
.annotation pre { overflow-x: auto; font: 0.8125rem/1.5 var(--mono); }
.annotation ul, .annotation ol { list-style: revert; padding-left: 20px; }

.timeline { overflow-x: auto; padding: 12px 16px 0; }
.timeline svg { display: block; width: 100%; min-width: 640px; height: auto; font: 12px system-ui, sans-serif; }
.timeline .tick { stroke: var(--line); } .timeline .time { fill: var(--soft); } .timeline .name { fill: var(--ink); }
.bar.wait, .key.wait { fill: var(--line-strong); background: var(--line-strong); }
.bar.block, .key.block { fill: var(--blocked); background: var(--blocked); }
.bar.run, .key.run { fill: var(--soft); background: var(--passed); } .bar.run.passed { fill: var(--passed); }
.bar.run.failed { fill: var(--failed); } .bar.run.running { fill: var(--running); }
.bar.critical { stroke: var(--ink); stroke-width: 1.5; } .key.critical { border: 2px solid var(--ink); }
.legend { color: var(--soft); font-size: 0.8125rem; padding: 4px 20px 14px; }
.key { display: inline-block; width: 14px; height: 10px; border-radius: 3px; margin: 0 4px 0 10px; }

.log { background: #12161b; color: #dfe5ec; font: 0.8125rem/1.55 var(--mono); padding: 10px 0; overflow-x: auto; max-height: 80vh; }
.log .note { padding: 0 16px 6px; color: #a9b4c0; }
.log summary { cursor: pointer; list-style-position: inside; } 
.log .line { display: flex; gap: 14px; padding: 0 16px; white-space: pre; min-height: 1.55em; } .log summary { padding: 0 16px; font-weight: 700; }
.log .line:target, .log summary:target { background: #2c3a52; } .log .line:target a { color: #dfe5ec; }
.log .line a { color: #97a3b0; min-width: 3.5em; text-align: right; text-decoration: none; user-select: none; flex: none; } .log .line a:hover { text-decoration: underline; }
.ansi-black-fg, .ansi-bright-black-fg { color: #a3adb8; } .ansi-red-fg, .ansi-bright-red-fg { color: #ff8f87; } .ansi-green-fg, .ansi-bright-green-fg { color: #7ddb9f; }
.ansi-yellow-fg, .ansi-bright-yellow-fg { color: #f2c872; } .ansi-blue-fg, .ansi-bright-blue-fg { color: #8db4ff; } .ansi-magenta-fg, .ansi-bright-magenta-fg { color: #dba6f5; }
.ansi-cyan-fg, .ansi-bright-cyan-fg { color: #7fd8e0; } .ansi-white-fg, .ansi-bright-white-fg { color: #ffffff; }
.ansi-red-bg { background: #6b2320; } .ansi-green-bg { background: #1f5233; } .ansi-yellow-bg { background: #5c4713; } .ansi-blue-bg { background: #22407a; }
.ansi-bold { font-weight: 700; } .ansi-italic { font-style: italic; } .ansi-underline { text-decoration: underline; } .ansi-dim { color: #a9b4c0; }
.docs h2 { margin-top: 8px; }
.docs details { border-top: 1px solid var(--line); padding: 10px 20px; }
.docs summary { cursor: pointer; display: flex; gap: 4px 12px; align-items: baseline; flex-wrap: wrap; }
.docs .method { font: 700 0.8125rem/1.6 var(--mono); min-width: 4em; color: var(--accent); }
.docs pre { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 12px; font: 0.8125rem/1.5 var(--mono); }
.docs table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
.docs th, .docs td { text-align: left; vertical-align: top; padding: 6px 10px 6px 0; border-top: 1px solid var(--line); }
.scroll { overflow-x: auto; }

@media (max-width: 560px) {
  .top > div, main { padding-left: 16px; padding-right: 16px; }
  .top nav { margin-left: 0; }
  .facts { grid-template-columns: 1fr; gap: 2px; }
  .facts dd + dt { margin-top: 10px; }
  .card > header, .body, .rows > li { padding-left: 16px; padding-right: 16px; }
}
@media (prefers-reduced-motion: no-preference) { a, button, .choice { transition: border-color 0.12s, background-color 0.12s, filter 0.12s; } }
`
