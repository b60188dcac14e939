import type { LogCase } from '../../case.js'
import {
  block,
  bold,
  cap,
  green,
  job,
  random,
  red,
  repeat,
  stamped,
  text,
  yellow,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'terraform-undeclared-resource',
    tool: 'terraform plan',
    exit_status: 1,
    wanted: 'A managed resource "aws_s3_bucket" "reports" has not been declared in the root module',
    log: () => {
      const r = random(201)
      return job(
        'terraform plan -input=false',
        1,
        text(
          repeat(80, () =>
            bold(
              `module.${r.word()}.aws_iam_role.${r.word()}_error: Refreshing state... ` +
                `[id=${r.hex(12)}]`,
            ),
          ),
          block(`
            ${red('╷')}
            ${red('│')} ${bold(red('Error: '))}${bold('Reference to undeclared resource')}
            ${red('│')}
            ${red('│')}   on report.tf line 41, in resource "aws_s3_object" "index":
            ${red('│')}   41:   bucket = aws_s3_bucket.reports.id
            ${red('│')}
            ${red('│')} A managed resource "aws_s3_bucket" "reports" has not been declared in the \\
            root module.
            ${red('╵')}
          `),
        ),
      )
    },
  },
  {
    name: 'terraform-apply-then-destroy',
    tool: 'terraform apply',
    exit_status: 1,
    wanted:
      "creating EC2 Subnet: InvalidSubnet.Conflict: The CIDR '10.0.4.0/24' conflicts with " +
      'another subnet',
    log: () => {
      const r = random(202)
      return job(
        './test/infrastructure',
        1,
        text(
          repeat(30, () =>
            bold(
              `aws_route.${r.word()}: Creation complete after ${r.int(1, 9)}s [id=${r.hex(10)}]`,
            ),
          ),
          block(`
            ${red('╷')}
            ${red('│')} ${bold(red('Error: '))}creating EC2 Subnet: InvalidSubnet.Conflict: The \\
            CIDR '10.0.4.0/24' conflicts with another subnet
            ${red('│')}
            ${red('│')}   with aws_subnet.worker[3],
            ${red('│')}   on network.tf line 31, in resource "aws_subnet" "worker":
            ${red('╵')}
          `),
          '+ terraform destroy -auto-approve',
          repeat(44, () => {
            const name = `aws_route.${r.word()}_failed`
            return (
              `${bold(`${name}: Destroying...`)} ` +
              `[id=${r.hex(10)}]\n${bold(`${name}: Destruction complete after 1s`)}`
            )
          }),
          green('Destroy complete! Resources: 44 destroyed.'),
        ),
      )
    },
  },
  {
    name: 'pulumi-quota',
    tool: 'pulumi up',
    exit_status: 255,
    wanted: 'LimitExceeded: the account has 5 of 5 addresses in use',
    log: () => {
      const r = random(203)
      return job(
        'pulumi up --yes --non-interactive',
        255,
        text(
          'Updating (staging):',
          repeat(
            40,
            () =>
              ` ${green('+')}  aws:lambda:Function ${r.word()}-error-handler ` +
              `${green(`created (${r.int(1, 9)}s)`)} `,
          ),
          ` ${green('+')}  aws:ec2:Eip proxy ${red('creating failed')} ${red('1 error')}`,
          block(`

            Diagnostics:
              aws:ec2:Eip (proxy):
                ${red('error:')} 1 error occurred:
                \t* allocating address: LimitExceeded: the account has 5 of 5 addresses in use

              pulumi:pulumi:Stack (shop-staging):
                ${red('error:')} update failed

            Resources:
                + 40 created

            Duration: 1m41s
          `),
        ),
      )
    },
  },
  {
    name: 'ansible-package-before-recap',
    tool: 'ansible',
    exit_status: 2,
    wanted: "No package matching 'nginx-quic' is available",
    log: () => {
      const r = random(204)
      const hosts = repeat(84, (i) => `web${i + 1}.example.com`)
      return job(
        'ansible-playbook -i production site.yml',
        2,
        text(
          'PLAY [web] *********************************************************************',
          '',
          'TASK [Look for the old unit] ***************************************************',
          red(
            'fatal: [web1.example.com]: FAILED! => {"changed": false, "cmd": "systemctl status ' +
              'old", "msg": "non-zero return code", "rc": 4}',
          ),
          '...ignoring',
          hosts.slice(1).map((host) => green(`ok: [${host}]`)),
          '',
          'TASK [Install the proxy] *******************************************************',
          yellow('changed: [web1.example.com]'),
          red(
            'fatal: [web2.example.com]: FAILED! => {"changed": false, "failures": [], "msg": ' +
              '"No package matching \'nginx-quic\' is available", "rc": 1}',
          ),
          hosts.slice(2).map((host) => yellow(`changed: [${host}]`)),
          '',
          'PLAY RECAP *********************************************************************',
          hosts.map(
            (host, i) =>
              `${i === 1 ? red(host) : yellow(host)} : ok=${r.int(12, 20)} changed=3 ` +
              `unreachable=0 failed=${i === 1 ? 1 : 0} skipped=1 rescued=0 ` +
              `ignored=${i === 0 ? 1 : 0}`,
          ),
        ),
      )
    },
  },
  {
    name: 'cloudformation-first-failed-event',
    tool: 'cloudformation',
    exit_status: 1,
    wanted: 'The runtime parameter of nodejs12.x is no longer supported',
    log: () => {
      const r = random(205)
      const row = (state: string, kind: string, name: string, why: string) =>
        `${state.padEnd(20)} ${kind.padEnd(24)} ${name.padEnd(20)} ${why}`
      return job(
        'sam deploy --no-confirm-changeset',
        1,
        text(
          'CloudFormation events from stack operations (refresh every 5.0 seconds)',
          row('ResourceStatus', 'ResourceType', 'LogicalResourceId', 'ResourceStatusReason'),
          repeat(40, () =>
            row('CREATE_COMPLETE', 'AWS::SQS::Queue', `${cap(r.word())}ErrorQueue`, '-'),
          ),
          row(
            'CREATE_FAILED',
            'AWS::Lambda::Function',
            'Thumbnails',
            'Resource handler returned message: "The runtime parameter of nodejs12.x is no ' +
              'longer supported" (HandlerErrorCode: InvalidRequest)',
          ),
          repeat(9, () =>
            row(
              'CREATE_FAILED',
              'AWS::Lambda::Function',
              cap(r.word()),
              'Resource creation cancelled',
            ),
          ),
          row(
            'ROLLBACK_IN_PROGRESS',
            'AWS::CloudFormation::Stack',
            'shop',
            'The following resource(s) failed to create. Rollback requested by user.',
          ),
          repeat(60, () =>
            row('DELETE_COMPLETE', 'AWS::SQS::Queue', `${cap(r.word())}ErrorQueue`, '-'),
          ),
          row('ROLLBACK_COMPLETE', 'AWS::CloudFormation::Stack', 'shop', '-'),
          'Error: Failed to create/update the stack: shop, Waiter StackCreateComplete failed: ' +
            'Waiter encountered a terminal failure state',
        ),
      )
    },
  },
  {
    name: 'bucket-upload-denied-in-the-middle',
    tool: 'aws s3 sync',
    exit_status: 1,
    wanted: 'An error occurred (AccessDenied) when calling the PutObject operation',
    log: () => {
      const r = random(206)
      const uploads = (count: number) =>
        repeat(
          count,
          () => `upload: dist/errors/${r.hex(8)}.html to s3://shop-example/errors/${r.hex(8)}.html`,
        )
      return stamped(
        text(
          uploads(120),
          'upload failed: dist/robots.txt to s3://shop-example/robots.txt An error occurred ' +
            '(AccessDenied) when calling the PutObject operation: Access Denied',
          uploads(180),
        ),
        207,
        'iso',
      )
    },
  },
  {
    name: 'flyway-column-exists',
    tool: 'flyway',
    exit_status: 1,
    wanted: 'ERROR: column "tax_rate" of relation "invoice" already exists',
    log: () =>
      job(
        'flyway migrate',
        1,
        text(
          'Successfully validated 52 migrations (execution time 00:00.041s)',
          repeat(
            30,
            (i) =>
              `Migrating schema "public" to version "${i + 12} - ${random(i).word()} error codes"`,
          ),
          'Migrating schema "public" to version "42 - add tax"',
          block(`
            ERROR: Migration of schema "public" to version "42 - add tax" failed! Changes \\
            successfully rolled back.
            ERROR: Migration V42__add_tax.sql failed
            --------------------------------
            SQL State  : 42701
            Error Code : 0
            Message    : ERROR: column "tax_rate" of relation "invoice" already exists
            Location   : sql/V42__add_tax.sql (/build/sql/V42__add_tax.sql)
            Line       : 3
            Statement  : ALTER TABLE invoice ADD COLUMN tax_rate numeric NOT NULL
          `),
        ),
      ),
  },
  {
    name: 'psql-relation-missing-then-continues',
    tool: 'psql -f',
    exit_status: 3,
    wanted: 'psql:migrations/0042_tax.sql:14: ERROR:  relation "taxes" does not exist',
    log: () => {
      const r = random(208)
      return job(
        './scripts/migrate',
        3,
        text(
          repeat(30, () => r.pick(['CREATE TABLE', 'ALTER TABLE', 'CREATE INDEX', 'COMMENT'])),
          'psql:migrations/0041_codes.sql:3: NOTICE:  relation "errors" already exists, skipping',
          'psql:migrations/0042_tax.sql:14: ERROR:  relation "taxes" does not exist',
          'LINE 1: INSERT INTO taxes (rate) VALUES (19)',
          '                    ^',
          repeat(90, () => `pg_dump: dumping contents of table "public.${r.word()}_errors"`),
          'dump kept as artifact: before-migration.sql.gz',
        ),
      )
    },
  },
]
