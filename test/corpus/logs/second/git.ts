import type { LogCase } from '../../case.js'
import { ESC, job, random, repeat, stamped, terminal, text } from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'git-clone-host-unknown',
    tool: 'git clone (network)',
    exit_status: 128,
    wanted:
      "fatal: unable to access 'https://git.example.com/shop/shop.git/': Could not " +
      'resolve host: git.example.com',
    log: () =>
      text(
        '~~~ Preparing working directory',
        '$ git clone -v -- https://git.example.com/shop/shop.git .',
        "Cloning into '.'...",
        "fatal: unable to access 'https://git.example.com/shop/shop.git/': Could not " +
          'resolve host: git.example.com',
        '⚠️ Warning: Checkout failed! cloning git repository: exit status 128 (Attempt 3/3)',
        `${ESC}[31m🚨 Error: cloning git repository: exit status 128${ESC}[0m`,
        '^^^ +++',
        '~~~ Running global pre-exit hook',
        '$ /etc/agent/hooks/pre-exit',
      ),
  },
  {
    name: 'git-clone-key-refused',
    tool: 'git clone (authentication)',
    exit_status: 128,
    wanted: 'ci@git.example.com: Permission denied (publickey)',
    log: () =>
      terminal(
        text(
          '~~~ Preparing working directory',
          '$ git clone -v -- ci@git.example.com:shop/shop.git .',
          "Cloning into '.'...",
          "Warning: Permanently added 'git.example.com' (ED25519) to the list of known hosts.",
          'ci@git.example.com: Permission denied (publickey).',
          'fatal: Could not read from remote repository.',
          '',
          'Please make sure you have the correct access rights',
          'and the repository exists.',
        ),
      ),
  },
  {
    name: 'git-submodule-commit-missing',
    tool: 'git submodule',
    exit_status: 128,
    wanted: "Fetched in submodule path 'vendor/codec', but it did not contain 9f3c41a07be2",
    log: () => {
      const r = random(221)
      return stamped(
        job(
          'git submodule update --init --recursive',
          128,
          text(
            repeat(
              30,
              () =>
                `Submodule 'vendor/${r.word()}' (https://git.example.com/vendor/${r.word()}.git) ` +
                `registered for path 'vendor/${r.word()}'`,
            ),
            repeat(30, () => `Submodule path 'vendor/${r.word()}': checked out '${r.hex(40)}'`),
            'fatal: remote error: upload-pack: not our ref 9f3c41a07be2d1',
            "fatal: Fetched in submodule path 'vendor/codec', but it did not contain " +
              '9f3c41a07be2d1. Direct fetching of that commit failed.',
          ),
        ),
        222,
        'agent',
      )
    },
  },
  {
    name: 'git-merge-conflict',
    tool: 'git merge',
    exit_status: 1,
    wanted: 'CONFLICT (content): Merge conflict in src/cart/errors.ts',
    log: () => {
      const r = random(223)
      return job(
        './scripts/merge-train',
        1,
        text(
          repeat(40, () => `Auto-merging src/${r.word()}/${r.word()}.ts`),
          'Auto-merging src/cart/errors.ts',
          'CONFLICT (content): Merge conflict in src/cart/errors.ts',
          repeat(64, () => `Auto-merging test/${r.word()}-conflict.test.ts`),
          'Automatic merge failed; fix conflicts and then commit the result.',
        ),
      )
    },
  },
  {
    name: 'git-branch-unknown',
    tool: 'git checkout',
    exit_status: 1,
    wanted: "error: pathspec 'release/9.4' did not match any file(s) known to git",
    log: () =>
      job(
        './scripts/backport release/9.4',
        1,
        text(
          'From https://git.example.com/shop/shop',
          repeat(30, (i) => ` * [new branch]      fix-error-${i} -> origin/fix-error-${i}`),
          "error: pathspec 'release/9.4' did not match any file(s) known to git",
        ),
      ),
  },
  {
    name: 'git-push-rejected',
    tool: 'git push',
    exit_status: 1,
    wanted: 'remote: error: only the release pipeline may write tags',
    log: () =>
      job(
        './scripts/tag v2.4.1',
        1,
        text(
          'Enumerating objects: 1, done.',
          repeat(20, (i) => `\rWriting objects: ${String(i * 5).padStart(3)}% (${i}/20)`).join(''),
          'remote: ',
          'remote: error: only the release pipeline may write tags        ',
          'To https://git.example.com/shop/shop.git',
          ' ! [remote rejected] v2.4.1 -> v2.4.1 (protected tag hook declined)',
          "error: failed to push some refs to 'https://git.example.com/shop/shop.git'",
        ),
      ),
  },
]
